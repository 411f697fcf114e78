// Package targets opens the databases that specs, load profiles and table commands run against.
//
// A target is named on the command line and opened for one run:
//
//	embedded          the emulator, in this process (the default)
//	url=http://…      any endpoint that speaks the DynamoDB protocol
//	dynamodb-local    Amazon's own emulator: a container where a Docker engine answers, else the jar by Java and Maven
//	aws               the real service, with the default credential chain; costs money
//
// Whatever a target starts it also stops: Close leaves no process, container or table behind.
package targets
