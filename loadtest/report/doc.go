// Package report renders the reports of load tests: as text for a terminal, and as one HTML page with plots that opens
// without a network. Reports of one profile on several targets stand beside each other.
//
// The plots are drawn by uPlot 1.6.32 (MIT licence), which assets holds as published.
package report
