// Package overview is the one page that a team lead opens: what was promised, what of that holds on which target, under
// load and at which cost, where targets are known to differ, and what simulations found. It adds up what runs of
// features, load profiles and simulations left in their folders.
package overview
