// Package iam parses and evaluates policies of AWS Identity and Access Management, as its user guide documents: "Policy
// evaluation logic" and "IAM JSON policy elements reference".
//
// A [Policy] is parsed once, strictly: what AWS would refuse is an error that states the place. [Evaluate] then decides
// on a [Request] without allocating; [Explain] explains the decision, statement by statement; [Suggest] writes the
// least policy that some requests need. The package knows no service and no HTTP.
package iam
