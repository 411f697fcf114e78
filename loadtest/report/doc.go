// Package report renders the reports of load tests: as text for a terminal, and as one HTML page with plots that works
// without a network. It also compares the reports of a profile on several targets.
//
// The plots are drawn by uPlot 1.6.32 (MIT licence), whose published files are in assets.
package report
