// The log of functions is for the test that reads it. With TEST_LOG it is printed, as is what tests write to the console.

if (!process.env.TEST_LOG) process.stdout.write = () => true;
