// Package webconsole is the web console of an emulator: one page over DynamoDB and Cosmos DB, and the API that the page
// uses. Its files are in the program, so that it works offline.
//
// It is only for the person at the machine: [control.Guard] decides who that is. With identities, requests to DynamoDB
// are signed with the access key of the user who has signed in, and DynamoDB itself decides what that user may do.
package webconsole
