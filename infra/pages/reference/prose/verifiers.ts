const node = `import { createHmac, timingSafeEqual } from "node:crypto";

// The body is the bytes of the request, before anything parses them.
export function isGenuine(secret, headers, body) {
  const id = headers["webhook-id"];
  const sent = headers["webhook-timestamp"];
  const age = Math.abs(Date.now() / 1000 - sent);
  if (!(age <= 300)) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key)
    .update(\`\${id}.\${sent}.\`)
    .update(body)
    .digest();
  const signatures = headers["webhook-signature"] ?? "";
  return signatures.split(" ").some((one) => {
    const given = Buffer.from(one.replace("v1,", ""), "base64");
    return given.length === expected.length
      && timingSafeEqual(given, expected);
  });
}`;

const python = `import base64, hmac, time

# The body is the bytes of the request, before anything parses them.
def is_genuine(secret, headers, body):
    id, sent = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{sent}.".encode() + body
    digest = hmac.digest(key, signed, "sha256")
    expected = "v1," + base64.b64encode(digest).decode()
    return any(
        hmac.compare_digest(one, expected)
        for one in headers["webhook-signature"].split(" ")
    )`;

const go = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The body is the bytes of the request, before anything parses them.
func isGenuine(secret string, header http.Header, body []byte) bool {
	id, sent := header.Get("webhook-id"), header.Get("webhook-timestamp")
	at, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || math.Abs(time.Since(time.Unix(at, 0)).Minutes()) > 5 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + sent + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}`;

const php = `<?php
// The body is the bytes of the request, before anything parses them.
function isGenuine(string $secret, array $headers, string $body): bool
{
    $id = $headers['webhook-id'];
    $sent = $headers['webhook-timestamp'];
    if (abs(time() - (int) $sent) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $digest = hash_hmac('sha256', "$id.$sent.$body", $key, true);
    $expected = 'v1,' . base64_encode($digest);
    foreach (explode(' ', $headers['webhook-signature']) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}`;

const ruby = `require "openssl"

# The body is the bytes of the request, before anything parses them.
def genuine?(secret, headers, body)
  id, sent = headers.values_at("webhook-id", "webhook-timestamp")
  return false if (Time.now.to_i - sent.to_i).abs > 300

  key = secret.delete_prefix("whsec_").unpack1("m")
  digest = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{sent}.#{body}")
  expected = "v1,#{[digest].pack("m0")}"
  headers["webhook-signature"].split(" ").any? do |one|
    OpenSSL.secure_compare(one, expected)
  end
end`;

/**
 * Functions that tell whether an event is genuine, each with nothing but the standard library of its language. The guide to webhooks
 * and the dialog with a signing secret show them. `fence` names the language in Markdown.
 */
export const verifiers = [
  { language: 'Node.js', fence: 'js', code: node },
  { language: 'Python', fence: 'python', code: python },
  { language: 'Go', fence: 'go', code: go },
  { language: 'PHP', fence: 'php', code: php },
  { language: 'Ruby', fence: 'ruby', code: ruby },
];
