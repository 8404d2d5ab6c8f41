// What Lambda's runtime does with a function, once: loads it, calls it, and says how long that took. It is no TypeScript, for
// then Node's own work on this file would be part of the time.
//   node runtime.cjs <bundle> <event, as JSON> <port of the stand-in for AWS>

const { hrtime, cpuUsage, argv, exit } = process;
const { pathToFileURL } = require('node:url');
const { writeFileSync } = require('node:fs');
const { Socket } = require('node:net');

// AWS's runtime interface client has these loaded before the function.
for (const name of ['node:assert', 'node:http', 'node:path', 'node:util']) require(name);

const [, , file, event, port] = argv;

// Every connection, whatever host it is for, goes to the stand-in: names, endpoints and TLS are those of production.
const { connect } = Socket.prototype;
Socket.prototype.connect = function connectToStandIn(options, connected) {
  return connect.call(this, { ...options, host: '127.0.0.1', port: Number(port) }, connected);
};

const deadline = Date.now() + 10_000;
const context = { getRemainingTimeInMillis: () => deadline - Date.now() };

async function main() {
  const request = JSON.parse(event);
  const booted = hrtime.bigint();
  const { handler } = file.endsWith('.mjs') ? await import(pathToFileURL(file).href) : require(file);
  const loaded = hrtime.bigint();
  const answer = await handler(request, context);
  const answered = hrtime.bigint();
  const { user, system } = cpuUsage();
  const times = { booted: String(booted), loaded: String(loaded), answered: String(answered) };
  // Apart from the log that functions write.
  writeFileSync(3, JSON.stringify({ ...times, cpuMs: (user + system) / 1000, answer }));
  exit();
}

main();
