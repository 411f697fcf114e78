package cosmos

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/items"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/query"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/resources"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/scripts"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// handler is an operation: its name in fault rules, metrics and logs, what it operates in, and its function.
type handler struct {
	name   string
	parent requiredParent
	run    func(*exchange) *wire.Error
}

// requiredParent is the resource that must exist before an operation runs.
type requiredParent uint8

const (
	noParent    requiredParent = iota
	inDatabase                 // Call.Database is set
	inContainer                // Call.Container and Call.Database are set
)

// selector identifies an operation: the kind of resource, whether the path is a feed, the method, and the form that the
// headers give the request.
type selector struct {
	kind   wire.Kind
	feed   bool
	method string
	form   wire.Form
}

// handlers are all operations.
var handlers = map[selector]*handler{
	{wire.KindAccount, false, http.MethodGet, wire.NoForm}: {"ReadAccount", noParent, (*exchange).readAccount},

	{wire.KindDatabase, true, http.MethodPost, wire.NoForm}:    {"CreateDatabase", noParent, on(resources.CreateDatabase)},
	{wire.KindDatabase, true, http.MethodGet, wire.NoForm}:     {"ListDatabases", noParent, on(resources.ListDatabases)},
	{wire.KindDatabase, true, http.MethodPost, wire.QueryForm}: {"QueryDatabases", noParent, on(resources.ListDatabases)},
	{wire.KindDatabase, false, http.MethodGet, wire.NoForm}:    {"ReadDatabase", inDatabase, on(resources.ReadDatabase)},
	{wire.KindDatabase, false, http.MethodDelete, wire.NoForm}: {"DeleteDatabase", inDatabase,
		on(resources.DeleteDatabase)},

	{wire.KindContainer, true, http.MethodPost, wire.NoForm}: {"CreateContainer", inDatabase,
		on(resources.CreateContainer)},
	{wire.KindContainer, true, http.MethodGet, wire.NoForm}: {"ListContainers", inDatabase,
		on(resources.ListContainers)},
	{wire.KindContainer, true, http.MethodPost, wire.QueryForm}: {"QueryContainers", inDatabase,
		on(resources.ListContainers)},
	{wire.KindContainer, false, http.MethodGet, wire.NoForm}: {"ReadContainer", inContainer,
		on(resources.ReadContainer)},
	{wire.KindContainer, false, http.MethodPut, wire.NoForm}: {"ReplaceContainer", inContainer,
		on(resources.ReplaceContainer)},
	{wire.KindContainer, false, http.MethodDelete, wire.NoForm}: {"DeleteContainer", inContainer,
		on(resources.DeleteContainer)},

	{wire.KindOffer, true, http.MethodGet, wire.NoForm}:     {"ListOffers", noParent, on(resources.ListOffers)},
	{wire.KindOffer, true, http.MethodPost, wire.QueryForm}: {"QueryOffers", noParent, on(resources.ListOffers)},
	{wire.KindOffer, false, http.MethodGet, wire.NoForm}:    {"ReadOffer", noParent, on(resources.ReadOffer)},
	{wire.KindOffer, false, http.MethodPut, wire.NoForm}:    {"ReplaceOffer", noParent, on(resources.ReplaceOffer)},

	{wire.KindPartitionKeyRange, true, http.MethodGet, wire.NoForm}: {"ReadPartitionKeyRanges", inContainer,
		on(resources.ReadPartitionKeyRanges)},

	{wire.KindConflict, true, http.MethodGet, wire.NoForm}: {"ListConflicts", inContainer,
		on(resources.ListConflicts)},
	{wire.KindConflict, true, http.MethodPost, wire.QueryForm}: {"QueryConflicts", inContainer,
		on(resources.QueryConflicts)},
	{wire.KindConflict, false, http.MethodGet, wire.NoForm}: {"ReadConflict", inContainer, on(resources.ReadConflict)},
	{wire.KindConflict, false, http.MethodDelete, wire.NoForm}: {"DeleteConflict", inContainer,
		on(resources.ReadConflict)},

	{wire.KindStoredProcedure, true, http.MethodPost, wire.NoForm}: {"CreateStoredProcedure", inContainer,
		on(resources.CreateChild)},
	{wire.KindStoredProcedure, true, http.MethodPost, wire.QueryForm}: {"QueryStoredProcedures", inContainer,
		on(resources.ListChildren)},
	{wire.KindStoredProcedure, true, http.MethodGet, wire.NoForm}: {"ListStoredProcedures", inContainer,
		on(resources.ListChildren)},
	{wire.KindStoredProcedure, false, http.MethodGet, wire.NoForm}: {"ReadStoredProcedure", inContainer,
		on(resources.ReadChild)},
	{wire.KindStoredProcedure, false, http.MethodPut, wire.NoForm}: {"ReplaceStoredProcedure", inContainer,
		on(resources.ReplaceChild)},
	{wire.KindStoredProcedure, false, http.MethodDelete, wire.NoForm}: {"DeleteStoredProcedure", inContainer,
		on(resources.DeleteChild)},
	{wire.KindStoredProcedure, false, http.MethodPost, wire.NoForm}: {"ExecuteStoredProcedure", inContainer,
		on(scripts.ExecuteProcedure)},

	{wire.KindTrigger, true, http.MethodPost, wire.NoForm}:    {"CreateTrigger", inContainer, on(resources.CreateChild)},
	{wire.KindTrigger, true, http.MethodPost, wire.QueryForm}: {"QueryTriggers", inContainer, on(resources.ListChildren)},
	{wire.KindTrigger, true, http.MethodGet, wire.NoForm}:     {"ListTriggers", inContainer, on(resources.ListChildren)},
	{wire.KindTrigger, false, http.MethodGet, wire.NoForm}:    {"ReadTrigger", inContainer, on(resources.ReadChild)},
	{wire.KindTrigger, false, http.MethodPut, wire.NoForm}:    {"ReplaceTrigger", inContainer, on(resources.ReplaceChild)},
	{wire.KindTrigger, false, http.MethodDelete, wire.NoForm}: {"DeleteTrigger", inContainer, on(resources.DeleteChild)},

	{wire.KindUDF, true, http.MethodPost, wire.NoForm}: {"CreateUserDefinedFunction", inContainer,
		on(resources.CreateChild)},
	{wire.KindUDF, true, http.MethodPost, wire.QueryForm}: {"QueryUserDefinedFunctions", inContainer,
		on(resources.ListChildren)},
	{wire.KindUDF, true, http.MethodGet, wire.NoForm}: {"ListUserDefinedFunctions", inContainer,
		on(resources.ListChildren)},
	{wire.KindUDF, false, http.MethodGet, wire.NoForm}: {"ReadUserDefinedFunction", inContainer,
		on(resources.ReadChild)},
	{wire.KindUDF, false, http.MethodPut, wire.NoForm}: {"ReplaceUserDefinedFunction", inContainer,
		on(resources.ReplaceChild)},
	{wire.KindUDF, false, http.MethodDelete, wire.NoForm}: {"DeleteUserDefinedFunction", inContainer,
		on(resources.DeleteChild)},

	{wire.KindUser, true, http.MethodPost, wire.NoForm}:    {"CreateUser", inDatabase, on(resources.CreateChild)},
	{wire.KindUser, true, http.MethodPost, wire.QueryForm}: {"QueryUsers", inDatabase, on(resources.ListChildren)},
	{wire.KindUser, true, http.MethodGet, wire.NoForm}:     {"ListUsers", inDatabase, on(resources.ListChildren)},
	{wire.KindUser, false, http.MethodGet, wire.NoForm}:    {"ReadUser", inDatabase, on(resources.ReadChild)},
	{wire.KindUser, false, http.MethodPut, wire.NoForm}:    {"ReplaceUser", inDatabase, on(resources.ReplaceChild)},
	{wire.KindUser, false, http.MethodDelete, wire.NoForm}: {"DeleteUser", inDatabase, on(resources.DeleteChild)},

	{wire.KindPermission, true, http.MethodPost, wire.NoForm}: {"CreatePermission", inDatabase,
		on(resources.CreateChild)},
	{wire.KindPermission, true, http.MethodPost, wire.QueryForm}: {"QueryPermissions", inDatabase,
		on(resources.ListChildren)},
	{wire.KindPermission, true, http.MethodGet, wire.NoForm}: {"ListPermissions", inDatabase,
		on(resources.ListChildren)},
	{wire.KindPermission, false, http.MethodGet, wire.NoForm}: {"ReadPermission", inDatabase, on(resources.ReadChild)},
	{wire.KindPermission, false, http.MethodPut, wire.NoForm}: {"ReplacePermission", inDatabase,
		on(resources.ReplaceChild)},
	{wire.KindPermission, false, http.MethodDelete, wire.NoForm}: {"DeletePermission", inDatabase,
		on(resources.DeleteChild)},

	{wire.KindClientEncryptionKey, true, http.MethodPost, wire.NoForm}: {"CreateClientEncryptionKey", inDatabase,
		on(resources.CreateChild)},
	{wire.KindClientEncryptionKey, true, http.MethodPost, wire.QueryForm}: {"QueryClientEncryptionKeys", inDatabase,
		on(resources.ListChildren)},
	{wire.KindClientEncryptionKey, true, http.MethodGet, wire.NoForm}: {"ListClientEncryptionKeys", inDatabase,
		on(resources.ListChildren)},
	{wire.KindClientEncryptionKey, false, http.MethodGet, wire.NoForm}: {"ReadClientEncryptionKey", inDatabase,
		on(resources.ReadChild)},
	{wire.KindClientEncryptionKey, false, http.MethodPut, wire.NoForm}: {"ReplaceClientEncryptionKey", inDatabase,
		on(resources.ReplaceChild)},

	{wire.KindOperation, false, http.MethodPost, wire.NoForm}: {"DeletePartitionKey", inContainer,
		on(items.DeletePartitionKey)},

	{wire.KindItem, true, http.MethodPost, wire.NoForm}:    {"CreateDocument", inContainer, on(items.CreateDocument)},
	{wire.KindItem, true, http.MethodPost, wire.QueryForm}: {"QueryDocuments", inContainer, on(query.QueryDocuments)},
	{wire.KindItem, true, http.MethodPost, wire.PlanForm}:  {"QueryPlan", inContainer, on(query.QueryPlan)},
	{wire.KindItem, true, http.MethodPost, wire.BatchForm}: {"BatchDocuments", inContainer, on(items.BatchDocuments)},
	{wire.KindItem, true, http.MethodGet, wire.NoForm}:     {"ListDocuments", inContainer, on(query.ListDocuments)},
	{wire.KindItem, false, http.MethodGet, wire.NoForm}:    {"ReadDocument", inContainer, on(items.ReadDocument)},
	{wire.KindItem, false, http.MethodPut, wire.NoForm}:    {"ReplaceDocument", inContainer, on(items.ReplaceDocument)},
	{wire.KindItem, false, http.MethodPatch, wire.NoForm}:  {"PatchDocument", inContainer, on(items.PatchDocument)},
	{wire.KindItem, false, http.MethodDelete, wire.NoForm}: {"DeleteDocument", inContainer, on(items.DeleteDocument)},
}

// on adapts an operation that does not depend on HTTP.
func on(run func(*operation.Call) *wire.Error) func(*exchange) *wire.Error {
	return func(x *exchange) *wire.Error { return run(&x.Call) }
}

// findHandler returns the operation of a request.
func (x *exchange) findHandler() (*handler, *wire.Error) {
	op := handlers[selector{x.Route.Kind, x.Route.Feed, x.Method, x.Form()}]
	if op == nil {
		return nil, wire.MethodNotAllowed()
	}
	return op, nil
}
