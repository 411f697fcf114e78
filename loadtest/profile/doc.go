// Package profile reads the profiles of load tests. A profile is a YAML file with a documented figure, stages with a
// rate, a mix of requests, a population to run against, and limits with the ids of the catalogue entries that they
// decide.
//
// A Profile knows which requests each system supports, when each of its requests is due (Pacer), and how to shorten or
// scale itself. The metrics that limits name are defined in package verdict.
package profile
