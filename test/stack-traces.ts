// As many frames as Node takes by itself: Jest asks for a hundred, which each expectation pays for, and so does each tag in a template.
Error.stackTraceLimit = 10;
