// Package profile reads the profiles of load tests: YAML files with a documented figure, stages of a rate, a mix of
// requests, a population to run against, and limits with the ids of the catalogue that they decide.
//
// A Profile knows what each system can be asked, when each of its requests is due (Pacer), and what it is when it is
// shortened or scaled. The names of metrics that limits use are those of package verdict.
package profile
