// Package ddb is the layer over the DynamoDB SDK that the systems share: conversion between items and Go values,
// expressions, paged queries, batches, and the errors of the SDK sorted by what a caller can do about them.
package ddb
