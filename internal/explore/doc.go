// Package explore finds the mishaps that break a program. It runs the program again and again, each time on a database
// of its own that does something to one or more of its requests: it loses a response, throttles, returns an old state.
// The requests of earlier runs decide what is tried next.
//
// A [Plan] is what happens in a run. A [Program] runs a plan and reports whether the program survived. [Search] chooses
// the plans:
//
//  1. Two runs without mishaps, which must pass.
//  2. Each kind of mishap at each operation of each table, first at the first such request, then at later ones. Requests
//     that only a disturbed run sends, such as those of a fallback, come before those that every run sends.
//  3. Singles at later requests, pairs and triples, at random from a seed.
//
// A plan that fails is run again, beside a run without mishaps: a program that fails by itself is not a finding. Then
// mishaps are left out as long as the program still fails.
//
// The search is deterministic: the same program and the same seed try the same plans in the same order, whatever the
// number of parallel runs.
package explore
