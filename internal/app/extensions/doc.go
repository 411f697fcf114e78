// Package extensions adds to the web console what only the program tabletop has, as parts of the console's API: load
// tests, scenarios and simulations with their results, and push messages.
//
// Load tests, scenarios and simulations run in a child process of the same program, so that they can be stopped and
// cannot take the emulator down. There is one child at a time, because two would measure each other; it ends with the
// emulator. The console chooses from lists: what a browser sends becomes no path and no address, and no flag except the
// numbers and durations of a simulation, which its command checks.
package extensions
