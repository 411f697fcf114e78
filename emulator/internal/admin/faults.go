package admin

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/faults"
)

// Faults is the topic of fault injection.
type Faults struct{ *faults.Injector }

// Name implements Topic.
func (Faults) Name() string { return "faults" }

// faultState is a fault in answers.
type faultState struct {
	faults.Document
	Matched int `json:"matched" doc:"Requests that it is about, whether they went wrong or not"`
	Hits    int `json:"hits" doc:"Requests that went wrong"`
	Waiting int `json:"waiting" doc:"Requests that it has wait now"`
}

// faultList is the list of all faults.
type faultList struct {
	Faults []faultState `json:"faults" doc:"In the order they were set, which is that in which they are asked"`
}

// faultName is the path parameter of one fault.
type faultName struct {
	Name string `path:"name" doc:"The fault's"`
}

// Routes implements Topic.
func (f Faults) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "list-faults", Method: http.MethodGet, Path: "/faults", Summary: "List the faults, and how often each struck"},
		func(context.Context, *struct{}) (*reply[faultList], error) { return &reply[faultList]{f.list()}, nil })
	add(api, huma.Operation{OperationID: "add-fault", Method: http.MethodPost, Path: "/faults", DefaultStatus: http.StatusCreated,
		Summary:     "Have requests go wrong",
		Description: "Those that fit all that the fault names, as often as it says. Faults stay over a reset, until they are removed."},
		func(_ context.Context, in *struct{ Body faults.Document }) (*reply[faultState], error) {
			return f.add(&in.Body)
		})
	add(api, huma.Operation{OperationID: "remove-fault", Method: http.MethodDelete, Path: "/faults/{name}", Summary: "Remove a fault"},
		func(_ context.Context, in *faultName) (*struct{}, error) {
			return nil, refuse(http.StatusNotFound, f.Remove(in.Name))
		})
	add(api, huma.Operation{OperationID: "clear-faults", Method: http.MethodDelete, Path: "/faults", Summary: "Remove all faults"},
		func(context.Context, *struct{}) (*struct{}, error) {
			f.Clear()
			return nil, nil
		})
}

func (f Faults) list() faultList {
	all := faultList{Faults: []faultState{}}
	for _, s := range f.List() {
		all.Faults = append(all.Faults, faultState{faults.DocumentOf(s.Rule), s.Matched, s.Hits, s.Waiting})
	}
	return all
}

func (f Faults) add(d *faults.Document) (*reply[faultState], error) {
	rule, err := d.Rule()
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, err)
	}
	name, err := f.Add(rule)
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, err)
	}
	rule.Name = name
	return &reply[faultState]{faultState{Document: faults.DocumentOf(rule)}}, nil
}
