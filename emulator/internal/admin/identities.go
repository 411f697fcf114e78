package admin

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// Identities is the topic of users, roles and their policies.
type Identities struct{ *identity.Service }

// Name implements Topic.
func (Identities) Name() string { return "identities" }

// identityList is the response that lists identities.
type identityList struct {
	On         bool              `json:"on" doc:"Whether signatures are verified and policies evaluated; if not, every request is allowed"`
	Identities []identity.Entity `json:"identities"`
}

// identityPath holds the path parameters of an identity.
type identityPath struct {
	Account string `path:"account" pattern:"^[0-9]{12}$" doc:"Account number" example:"123456789012"`
	Kind    string `path:"kind" enum:"users,groups,roles,policies,tables"`
	Name    string `path:"name" maxLength:"255"`
}

// identityDocument is a request that describes an identity.
type identityDocument struct {
	Account string         `path:"account" pattern:"^[0-9]{12}$" doc:"Account number" example:"123456789012"`
	Kind    string         `path:"kind" enum:"users,groups,roles,policies,tables"`
	Name    string         `path:"name" maxLength:"255"`
	Body    map[string]any // as in a file of identities
}

// userPath holds the path parameters of a user.
type userPath struct {
	Account string `path:"account" pattern:"^[0-9]{12}$" doc:"Account number" example:"123456789012"`
	Name    string `path:"name" maxLength:"64" doc:"Name of the user"`
}

// keyPath holds the path parameters of an access key.
type keyPath struct {
	Account string `path:"account" pattern:"^[0-9]{12}$" doc:"Account number" example:"123456789012"`
	ID      string `path:"id" maxLength:"128" doc:"Access key ID"`
}

// newKey is an access key with its secret, which is shown once.
type newKey struct {
	ID     string `json:"id" example:"AKIAIOSFODNN7EXAMPLE"`
	Secret string `json:"secret" doc:"Secret access key; shown only in this response"`
}

// Routes implements Topic.
func (i Identities) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "list-identities", Method: http.MethodGet, Path: "/identities",
		Summary:     "List users and roles",
		Description: "Secret access keys are not shown."},
		func(context.Context, *struct{}) (*reply[identityList], error) { return i.list(nil) })
	add(api, huma.Operation{OperationID: "put-identity", Method: http.MethodPut,
		Path:    "/identities/{account}/{kind}/{name}",
		Summary: "Create or replace a user, group, role, policy or table policy",
		Description: "The body has the format of an identities file. Once there is an identity, the emulator verifies the signature of " +
			"every request to every service and evaluates policies."},
		func(_ context.Context, in *identityDocument) (*reply[identityList], error) {
			document, err := json.Marshal(in.Body)
			if err != nil {
				return nil, err
			}
			return i.list(i.Put(in.Account, in.Kind, in.Name, document))
		})
	add(api, huma.Operation{OperationID: "delete-identity", Method: http.MethodDelete,
		Path:        "/identities/{account}/{kind}/{name}",
		Summary:     "Delete an identity that was created here",
		Description: "Deletes the access keys of a user too. If the emulator's identities file has the identity, that version applies again."},
		func(_ context.Context, in *identityPath) (*struct{}, error) {
			return nil, identityProblem(i.Delete(in.Account, in.Kind, in.Name))
		})
	add(api, huma.Operation{OperationID: "add-key", Method: http.MethodPost,
		Path:    "/identities/{account}/users/{name}/keys",
		Summary: "Create an access key", Description: "The secret is shown only in this response.",
		DefaultStatus: http.StatusCreated},
		func(_ context.Context, in *userPath) (*reply[newKey], error) {
			id, secret, err := i.NewKey(in.Account, in.Name)
			if err != nil {
				return nil, identityProblem(err)
			}
			return &reply[newKey]{newKey{id, secret}}, nil
		})
	add(api, huma.Operation{OperationID: "delete-key", Method: http.MethodDelete, Path: "/identities/{account}/keys/{id}",
		Summary: "Delete an access key that was created here"},
		func(_ context.Context, in *keyPath) (*struct{}, error) {
			return nil, identityProblem(i.DeleteKey(in.Account, in.ID))
		})
}

// list answers a change with all identities, or with the change's error.
func (i Identities) list(err error) (*reply[identityList], error) {
	if err != nil {
		return nil, identityProblem(err)
	}
	all := i.List()
	if all == nil {
		all = []identity.Entity{}
	}
	return &reply[identityList]{identityList{i.Gate("").Enabled(), all}}, nil
}

// identityProblem returns the response to an invalid change.
func identityProblem(err error) error {
	var missing *identity.NotFoundError
	if errors.As(err, &missing) {
		return refuse(http.StatusNotFound, err)
	}
	return refuse(http.StatusUnprocessableEntity, err)
}
