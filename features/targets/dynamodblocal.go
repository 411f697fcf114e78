package targets

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
)

// errNoDocker means that no Docker engine is available; the jar may still work.
var errNoDocker = errors.New("no Docker engine is running")

func openDynamoDBLocal(ctx context.Context, o Options) (*Target, error) {
	t, err := openContainer(ctx, o)
	if err == nil || o.Image != "" {
		return t, err
	}
	o.Logger.Debug("dynamodb-local: using the jar", "because", err)
	t, jarErr := openJar(ctx, o)
	if jarErr != nil {
		return nil, fmt.Errorf("dynamodb-local needs Docker (%w) or Java and Maven (%w)", err, jarErr)
	}
	return t, nil
}

// localTarget returns a target for a DynamoDB Local that was just started on the port.
func localTarget(host string, port int, detail string) *Target {
	endpoint := "http://" + net.JoinHostPort(host, strconv.Itoa(port))
	return &Target{
		Name:        string(DynamoDBLocal),
		Detail:      detail,
		Config:      localConfig(endpoint),
		Endpoint:    endpoint,
		TablePrefix: newPrefix(),
		Cannot: map[Capability]string{
			CosmosDB:         "DynamoDB Local has no Cosmos DB",
			MoveTime:         "the clock of DynamoDB Local cannot be controlled",
			PrivateStore:     "all scenarios share one DynamoDB Local",
			Commands:         "DynamoDB Local has no emulator options and no admin API",
			IsolatedAccounts: "DynamoDB Local runs with -sharedDb",
		},
	}
}

// rename changes the target to that of another image, to which the known differences of DynamoDB Local do not apply.
func (t *Target) rename(name string) {
	t.Name = name
	t.Cannot = map[Capability]string{
		CosmosDB:         "a container of DynamoDB has no Cosmos DB beside it",
		MoveTime:         "the clock in a container is not moved from here",
		PrivateStore:     "one container serves the whole run",
		Commands:         "a container is not started anew for each scenario",
		IsolatedAccounts: "whether credentials separate accounts is not known of an image",
	}
}
