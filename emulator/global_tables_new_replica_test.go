package emulator_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// wantNewReplicaUnchanged checks what a replica that is being added in eu-west-1 refuses (ack-api-quirks
// DDB-TABLE-298).
func (w *world) wantNewReplicaUnchanged(t testing.TB) {
	t.Helper()
	replica := w.in["eu-west-1"]
	_, err := replica.UpdateTable(t.Context(), addingReplica("us-west-2"))
	wantError(t, err, "ValidationException", "Create/Update/Delete of replica is not allowed while the replica is being "+
		"added to table with name: ‘orders’ in region: ‘eu-west-1’.")
	_, err = replica.UpdateTable(t.Context(), removingReplica("us-east-1"))
	wantError(t, err, "ValidationException", "Replica cannot be deleted because it has acted as a source region for new "+
		"replica(s) being added to the table in the last 24 hours.")
	_, err = replica.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		DeletionProtectionEnabled: aws.Bool(true)})
	wantError(t, err, "ResourceNotFoundException", "Requested resource not found: Table: orders not found")
	_, err = replica.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("orders")})
	wantError(t, err, "ResourceInUseException",
		"Attempt to change a resource which is still in use: Table: orders is being used.")
}
