package store

import "syscall"

// populate makes the kernel provide the memory of a chunk at once. A table fills nearly all of its chunks, and a fault
// for each page of 4 KB took most of the time of writing them.
const populate = syscall.MAP_POPULATE
