// Package extensions adds to the web console what only the program tabletop has, as parts of the console's API: load
// tests and scenarios with their results, simulated devices, and push messages.
//
// Load tests and scenarios run in a child process of the same program, so that they can be stopped and cannot take the
// emulator down. There is one child at a time, because two would measure each other; it ends with the emulator. The
// console chooses from lists: nothing that a browser sends becomes a flag or a path.
package extensions
