// Package overview is the one page for a team lead: what was promised, what of it holds on which target, under load and
// at which cost, where targets are known to differ, and what simulations found. It combines the results that runs of
// features, load profiles and simulations left in their folders.
package overview
