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

// faultState is a fault in responses.
type faultState struct {
	faults.Document
	Matched int  `json:"matched" doc:"Requests that match the fault, whether it applied to them or not"`
	Hits    int  `json:"hits" doc:"Requests that the fault applied to"`
	Ended   bool `json:"ended,omitempty" doc:"It applies to no further request"`
	Waiting int  `json:"waiting" doc:"Requests that the fault is delaying now"`
}

// faultList is the list of all faults.
type faultList struct {
	Faults []faultState `json:"faults" doc:"In the order in which they were added and are applied"`
}

// faultName is the path parameter of one fault.
type faultName struct {
	Name string `path:"name" doc:"Name of the fault"`
}

// Routes implements Topic.
func (f Faults) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "list-faults", Method: http.MethodGet, Path: "/faults",
		Summary: "List faults with their counts"},
		func(context.Context, *struct{}) (*reply[faultList], error) { return &reply[faultList]{f.list()}, nil })
	add(api, huma.Operation{OperationID: "add-fault", Method: http.MethodPost, Path: "/faults",
		DefaultStatus: http.StatusCreated,
		Summary:       "Add a fault",
		Description:   "The fault applies to requests that match all of its fields, as often as it specifies. A reset does not remove faults."},
		func(_ context.Context, in *struct{ Body faults.Document }) (*reply[faultState], error) {
			return f.add(&in.Body)
		})
	add(api, huma.Operation{OperationID: "remove-fault", Method: http.MethodDelete, Path: "/faults/{name}",
		Summary: "Remove a fault"},
		func(_ context.Context, in *faultName) (*struct{}, error) {
			return nil, refuse(http.StatusNotFound, f.Remove(in.Name))
		})
	add(api, huma.Operation{OperationID: "clear-faults", Method: http.MethodDelete, Path: "/faults",
		Summary: "Remove all faults"},
		func(context.Context, *struct{}) (*struct{}, error) {
			f.Clear()
			return nil, nil
		})
}

func (f Faults) list() faultList {
	all := faultList{Faults: []faultState{}}
	for _, s := range f.List() {
		all.Faults = append(all.Faults, faultState{Document: faults.DocumentOf(s.Rule), Matched: s.Matched, Hits: s.Hits,
			Waiting: s.Waiting, Ended: s.Ended})
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
