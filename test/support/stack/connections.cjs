// Loaded before a program of Node: every host that it connects to is written to the file CONNECTIONS, a line each.
const { appendFileSync } = require('node:fs');
const { Socket } = require('node:net');

const { connect } = Socket.prototype;
Socket.prototype.connect = function noted(...args) {
  const [to] = args.flat();
  appendFileSync(process.env.CONNECTIONS, `${to?.host ?? to?.path ?? to}\n`);
  return connect.apply(this, args);
};
