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

// identityList is the answer that lists identities.
type identityList struct {
	On         bool              `json:"on" doc:"Signatures are verified and policies decide; else everything passes"`
	Identities []identity.Listed `json:"identities"`
}

// identityPath holds the path parameters of an identity.
type identityPath struct {
	Account string `path:"account" pattern:"^[0-9]{12}$" doc:"The account's number" example:"123456789012"`
	Kind    string `path:"kind" enum:"users,groups,roles,policies,tables"`
	Name    string `path:"name" maxLength:"255"`
}

// identityDocument is a request that describes an identity.
type identityDocument struct {
	Account string         `path:"account" pattern:"^[0-9]{12}$" doc:"The account's number" example:"123456789012"`
	Kind    string         `path:"kind" enum:"users,groups,roles,policies,tables"`
	Name    string         `path:"name" maxLength:"255"`
	Body    map[string]any // as in a file of identities
}

// userPath holds the path parameters of a user.
type userPath struct {
	Account string `path:"account" pattern:"^[0-9]{12}$" doc:"The account's number" example:"123456789012"`
	Name    string `path:"name" maxLength:"64" doc:"The user's"`
}

// keyPath holds the path parameters of an access key.
type keyPath struct {
	Account string `path:"account" pattern:"^[0-9]{12}$" doc:"The account's number" example:"123456789012"`
	ID      string `path:"id" maxLength:"128" doc:"The access key's"`
}

// newKey is an access key with its secret, which is shown once.
type newKey struct {
	ID     string `json:"id" example:"AKIAIOSFODNN7EXAMPLE"`
	Secret string `json:"secret" doc:"Told here and nowhere else"`
}

// Routes implements Topic.
func (i Identities) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "list-identities", Method: http.MethodGet, Path: "/identities", Summary: "List the users and roles",
		Description: "Without secrets."},
		func(context.Context, *struct{}) (*reply[identityList], error) { return i.list(nil) })
	add(api, huma.Operation{OperationID: "put-identity", Method: http.MethodPut, Path: "/identities/{account}/{kind}/{name}",
		Summary: "Describe a user, group, role, policy, or the policy of a table",
		Description: "As in a file of identities, in the place of the former one. The first one makes the emulator verify signatures and " +
			"ask policies, of every request to every service."},
		func(_ context.Context, in *identityDocument) (*reply[identityList], error) {
			document, err := json.Marshal(in.Body)
			if err != nil {
				return nil, err
			}
			return i.list(i.Put(in.Account, in.Kind, in.Name, document))
		})
	add(api, huma.Operation{OperationID: "delete-identity", Method: http.MethodDelete, Path: "/identities/{account}/{kind}/{name}",
		Summary: "Remove what was described here", Description: "A user's access keys go too. What the emulator's file describes is as it is there then."},
		func(_ context.Context, in *identityPath) (*struct{}, error) {
			return nil, identityProblem(i.Delete(in.Account, in.Kind, in.Name))
		})
	add(api, huma.Operation{OperationID: "add-key", Method: http.MethodPost, Path: "/identities/{account}/users/{name}/keys",
		Summary: "Make an access key", Description: "Its secret is told in this answer only.", DefaultStatus: http.StatusCreated},
		func(_ context.Context, in *userPath) (*reply[newKey], error) {
			id, secret, err := i.NewKey(in.Account, in.Name)
			if err != nil {
				return nil, identityProblem(err)
			}
			return &reply[newKey]{newKey{id, secret}}, nil
		})
	add(api, huma.Operation{OperationID: "delete-key", Method: http.MethodDelete, Path: "/identities/{account}/keys/{id}", Summary: "Take an access key away that was made here"},
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
		all = []identity.Listed{}
	}
	return &reply[identityList]{identityList{i.Gate("").Enabled(), all}}, nil
}

// identityProblem returns the answer to an invalid change.
func identityProblem(err error) error {
	var missing *identity.NotFoundError
	if errors.As(err, &missing) {
		return refuse(http.StatusNotFound, err)
	}
	return refuse(http.StatusUnprocessableEntity, err)
}
