// Package access authorizes requests by IAM policies and resource policies, and has the operations on resource
// policies.
package access
