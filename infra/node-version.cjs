// Loaded before anything else, so that an old Node ends in a sentence and not in a syntax error:
// it has to be readable by every Node there is.
const wanted = 24;
if (Number.parseInt(process.versions.node, 10) < wanted) {
  console.error(
    `This project needs Node ${wanted} or newer, and this is Node ${process.versions.node}. ` +
      'On Linux "npm ci" brings it along (run things through npm); elsewhere install it from https://nodejs.org.',
  );
  process.exit(1);
}
