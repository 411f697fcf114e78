package process

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/explore"
)

// PlanVariable is the environment variable with the plan of a run.
const PlanVariable = "TABLETOP_EXPLORE"

// accessKey is the access key of the command.
const accessKey = "explore"

// hidden are the variables of this process that a command does not see: they lead to real accounts.
var hidden = []string{
	"AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN", "AWS_WEB_IDENTITY_TOKEN_FILE",
	"AWS_ROLE_ARN", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_ENDPOINT_URL",
	"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT",
}

// environment returns the environment of a run, as [Program] describes it.
func (p *Program) environment(e *emulator.Emulator, plan explore.Plan) []string {
	set := []string{
		PlanVariable + "=" + plan.Text(),
		"AWS_ENDPOINT_URL_DYNAMODB=" + e.DynamoDBURL(),
		"AWS_ENDPOINT_URL_DYNAMODB_STREAMS=" + e.DynamoDBURL(),
		"AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1",
		"AWS_ACCESS_KEY_ID=" + accessKey, "AWS_SECRET_ACCESS_KEY=" + accessKey,
		"AWS_CONFIG_FILE=" + os.DevNull, "AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull, "AWS_EC2_METADATA_DISABLED=true",
		"AZURE_COSMOS_ENDPOINT=" + e.CosmosHTTPURL(),
		"AZURE_COSMOS_HTTPS_ENDPOINT=" + e.CosmosURL(),
		"AZURE_COSMOS_KEY=" + e.CosmosPrimaryKey(),
		"AZURE_COSMOS_CONNECTION_STRING=AccountEndpoint=" + e.CosmosHTTPURL() + ";AccountKey=" + e.CosmosPrimaryKey() + ";",
		"AZURE_COSMOS_CERTIFICATE=" + p.file,
	}
	set = append(set, p.guard.environment()...)
	replaced := slices.Clone(hidden)
	for _, s := range set {
		name, _, _ := strings.Cut(s, "=")
		replaced = append(replaced, name)
	}
	kept := slices.DeleteFunc(os.Environ(), func(s string) bool {
		name, _, _ := strings.Cut(s, "=")
		return slices.Contains(replaced, name)
	})
	return append(kept, set...)
}

// temporaryFile creates a file that only the current user can read.
func temporaryFile(content []byte) (name string, err error) {
	f, err := os.CreateTemp("", "tabletop-explore-*.pem")
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	return f.Name(), errors.Join(err, f.Close())
}

func removeFile(name string) error {
	if err := os.Remove(name); name != "" && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
