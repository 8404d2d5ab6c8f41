// Loaded before anything else, so that an old Node or missing packages end in a sentence and not in a stack trace:
// it has to be readable by every Node there is.
function end(message) {
  console.error(message);
  process.exit(1);
}

const wanted = 24;
if (Number.parseInt(process.versions.node, 10) < wanted)
  end(
    `This project needs Node ${wanted} or newer, and this is Node ${process.versions.node}. ` +
      'On Linux and macOS "npm ci" brings it along for what npm runs; elsewhere install it from https://nodejs.org.',
  );

try {
  require.resolve('commander');
} catch {
  end('The packages of this project are not installed: run "npm ci" first.');
}
