// Package globaltables has the operations on global tables that are not operations on tables: those of version
// 2017.11.29, and auto scaling of replicas. Tables become global tables of version 2019.11.21 by UpdateTable, in
// package control.
//
// No global table of version 2017.11.29 can exist any more: the service refuses to create one in every region, and its
// other operations answer as if there were none, for tables of version 2019.11.21 too.
// (aws-controllers-k8s/dynamodb-controller, probes of us-west-2 and us-east-1 on 2026-10-09.)
package globaltables
