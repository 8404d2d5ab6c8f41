import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { hostOf } from '../../schemas/receiverUrl.ts';
import type { Failure } from '../model/delivery.ts';
import type { LookupAddress } from './receiverAddress.ts';

export type { ClientRequest, IncomingMessage };

/**
 * The most bytes that a connection may receive: the handshake, interim responses, chunk framing, 16 KB of a body, and headers. Node's own
 * header limit counts only names and values.
 */
const maxBytes = 256 * 1024;
/** The most bytes of a response's headers. Receivers behind several proxies may send many cookies and policies. */
const maxHeaderBytes = 64 * 1024;
/** The timeout for each address. Node's default of 250 ms is too short for an address that is far away. */
const connectMs = 2000;

class TooMuchError extends Error {}

/** The most bytes that are passed on at a time, because a parser does not stop within a chunk. */
const pieceBytes = 256;

/**
 * Passes on the bytes that a socket receives, up to `maxBytes`. It sits between the socket and TLS, because TLS reads records without data
 * silently. It also sits before the HTTP parser, which would read thousands of interim responses.
 */
class Counted extends Duplex {
  readonly socket: Socket;

  constructor(socket: Socket) {
    super();
    this.socket = socket;
    let left = maxBytes;
    socket
      .on('data', (chunk: Buffer) => {
        const end = Math.min(chunk.length, left);
        for (let at = 0; at < end && !this.destroyed; at += pieceBytes)
          if (!this.push(chunk.subarray(at, Math.min(at + pieceBytes, end)))) socket.pause();
        left -= chunk.length;
        if (left < 0) this.destroy(new TooMuchError());
      })
      .on('end', () => this.push(null))
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.push(null));
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }
}

/** Opens a request on its own connection. A shared agent could use a proxy or an open connection. */
export function openRequest(
  url: URL,
  headers: Record<string, string>,
  addresses: LookupAddress[],
): ClientRequest {
  const isSecure = url.protocol === 'https:';
  const host = hostOf(url);
  const createConnection = (): Duplex => {
    const socket = new Counted(
      connect({
        host,
        port: Number(url.port) || (isSecure ? 443 : 80),
        // Uses the addresses that were checked, instead of another lookup. Node requests all of them, to try one after the other.
        lookup: (_host, _options, callback) => callback(null, addresses),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: connectMs,
      }),
    );
    if (!isSecure) return socket;
    // A server that supports only HTTP/2 shows this in the handshake.
    return new Counted(
      connectTls({
        socket,
        host,
        servername: isIP(host) ? '' : host,
        rejectUnauthorized: true,
        ALPNProtocols: ['http/1.1'],
      }),
    );
  };
  return (isSecure ? httpsRequest : httpRequest)({
    method: 'POST',
    host,
    port: url.port,
    path: url.pathname + url.search,
    headers: { ...headers, 'Accept-Encoding': 'identity' },
    // Without an agent, a request uses the connection that it is given.
    createConnection,
    // Set here, so that no setting of the process can change it.
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
  });
}

/** Returns whether the bytes are the first frame of an HTTP/2 server without TLS: SETTINGS on stream 0 (RFC 9113, 6.5). */
const isSettingsFrame = (bytes: Buffer): boolean => bytes[3] === 4 && bytes.readUIntBE(5, 4) === 0;

/** Returns how a receiver violates HTTP/1.1. HPE codes are errors of Node's parser. The alert is the response to our ALPN (RFC 7301, 3.2). */
function protocolReason(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
): Failure['reason'] | undefined {
  const { code = '', message, rawPacket } = error;
  if (message.includes('alert no application protocol')) return 'http2';
  if (error instanceof TooMuchError) return 'malformed';
  if (!code.startsWith('HPE_')) return undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code !== 'HPE_INVALID_CONSTANT' && code !== 'HPE_INVALID_VERSION') return 'malformed';
  return rawPacket && rawPacket.length >= 9 && isSettingsFrame(rawPacket) ? 'http2' : 'not_http';
}

/** The reasons for error codes of OpenSSL (https://docs.openssl.org/3.0/man1/openssl-verification-options) and of Node. */
const reasons: Record<string, Failure['reason']> = {
  CERT_HAS_EXPIRED: 'certificate_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name_mismatch',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'self_signed',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown_issuer',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
};

/** Returns why a request failed. The socket reports an invalid certificate. All other TLS errors have codes. */
export function failureOf(error: NodeJS.ErrnoException, { socket }: ClientRequest): Failure {
  const ofProtocol = protocolReason(error);
  if (ofProtocol !== undefined) return { outcome: 'protocol_error', reason: ofProtocol };
  const { code = '', syscall } = error;
  const tls = (socket as Counted | null)?.socket as TLSSocket | undefined;
  // An error of the handshake is in the message of the failed write.
  const reason = error.message.includes('wrong version number') ? 'not_tls' : (reasons[code] ?? null);
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code) || tls?.authorizationError)
    return { outcome: 'tls_error', reason };
  // Node also reports a reset if the receiver closes the connection during a response. In that case, no system call has failed.
  return { outcome: 'connection_error', reason: code === 'ECONNRESET' && !syscall ? 'cut' : reason };
}
