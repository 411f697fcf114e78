package cosmos

import "net/http"

// handler is something that the service does: what it is called in faults, measures and logs, where it works, and how.
type handler struct {
	name string
	in   place
	run  func(*exchange) *Error
}

// place is what has to be there before an operation runs.
type place uint8

const (
	anywhere    place = iota
	inDatabase        // c.database is found first
	inContainer       // c.container and c.database are
)

// selector is what tells operations apart: the kind of resource, whether all of the kind are meant, the method, and what the
// headers make of it.
type selector struct {
	kind   kind
	feed   bool
	method string
	form   form
}

// handlers are all operations that there are.
var handlers = map[selector]*handler{
	{kindAccount, false, http.MethodGet, NoForm}: {"ReadAccount", anywhere, (*exchange).readAccount},

	{kindDatabase, true, http.MethodPost, NoForm}:    {"CreateDatabase", anywhere, on((*call).createDatabase)},
	{kindDatabase, true, http.MethodGet, NoForm}:     {"ListDatabases", anywhere, on((*call).listDatabases)},
	{kindDatabase, true, http.MethodPost, QueryForm}: {"QueryDatabases", anywhere, on((*call).listDatabases)},
	{kindDatabase, false, http.MethodGet, NoForm}:    {"ReadDatabase", inDatabase, on((*call).readDatabase)},
	{kindDatabase, false, http.MethodDelete, NoForm}: {"DeleteDatabase", inDatabase, on((*call).deleteDatabase)},

	{kindContainer, true, http.MethodPost, NoForm}:    {"CreateContainer", inDatabase, on((*call).createContainer)},
	{kindContainer, true, http.MethodGet, NoForm}:     {"ListContainers", inDatabase, on((*call).listContainers)},
	{kindContainer, true, http.MethodPost, QueryForm}: {"QueryContainers", inDatabase, on((*call).listContainers)},
	{kindContainer, false, http.MethodGet, NoForm}:    {"ReadContainer", inContainer, on((*call).readContainer)},
	{kindContainer, false, http.MethodPut, NoForm}:    {"ReplaceContainer", inContainer, on((*call).replaceContainer)},
	{kindContainer, false, http.MethodDelete, NoForm}: {"DeleteContainer", inContainer, on((*call).deleteContainer)},

	{kindOffer, true, http.MethodGet, NoForm}:     {"ListOffers", anywhere, on((*call).listOffers)},
	{kindOffer, true, http.MethodPost, QueryForm}: {"QueryOffers", anywhere, on((*call).listOffers)},
	{kindOffer, false, http.MethodGet, NoForm}:    {"ReadOffer", anywhere, on((*call).readOffer)},
	{kindOffer, false, http.MethodPut, NoForm}:    {"ReplaceOffer", anywhere, on((*call).replaceOffer)},

	{kindRange, true, http.MethodGet, NoForm}: {"ReadPartitionKeyRanges", inContainer, on((*call).readRanges)},

	{kindConflict, true, http.MethodGet, NoForm}:     {"ListConflicts", inContainer, on((*call).listConflicts)},
	{kindConflict, true, http.MethodPost, QueryForm}: {"QueryConflicts", inContainer, on((*call).queryConflicts)},
	{kindConflict, false, http.MethodGet, NoForm}:    {"ReadConflict", inContainer, on((*call).readConflict)},
	{kindConflict, false, http.MethodDelete, NoForm}: {"DeleteConflict", inContainer, on((*call).readConflict)},

	{kindProcedure, true, http.MethodPost, NoForm}:    {"CreateStoredProcedure", inContainer, on((*call).createChild)},
	{kindProcedure, true, http.MethodPost, QueryForm}: {"QueryStoredProcedures", inContainer, on((*call).listChildren)},
	{kindProcedure, true, http.MethodGet, NoForm}:     {"ListStoredProcedures", inContainer, on((*call).listChildren)},
	{kindProcedure, false, http.MethodGet, NoForm}:    {"ReadStoredProcedure", inContainer, on((*call).readChild)},
	{kindProcedure, false, http.MethodPut, NoForm}:    {"ReplaceStoredProcedure", inContainer, on((*call).replaceChild)},
	{kindProcedure, false, http.MethodDelete, NoForm}: {"DeleteStoredProcedure", inContainer, on((*call).deleteChild)},
	{kindProcedure, false, http.MethodPost, NoForm}:   {"ExecuteStoredProcedure", inContainer, on((*call).executeProcedure)},

	{kindTrigger, true, http.MethodPost, NoForm}:    {"CreateTrigger", inContainer, on((*call).createChild)},
	{kindTrigger, true, http.MethodPost, QueryForm}: {"QueryTriggers", inContainer, on((*call).listChildren)},
	{kindTrigger, true, http.MethodGet, NoForm}:     {"ListTriggers", inContainer, on((*call).listChildren)},
	{kindTrigger, false, http.MethodGet, NoForm}:    {"ReadTrigger", inContainer, on((*call).readChild)},
	{kindTrigger, false, http.MethodPut, NoForm}:    {"ReplaceTrigger", inContainer, on((*call).replaceChild)},
	{kindTrigger, false, http.MethodDelete, NoForm}: {"DeleteTrigger", inContainer, on((*call).deleteChild)},

	{kindUDF, true, http.MethodPost, NoForm}:    {"CreateUserDefinedFunction", inContainer, on((*call).createChild)},
	{kindUDF, true, http.MethodPost, QueryForm}: {"QueryUserDefinedFunctions", inContainer, on((*call).listChildren)},
	{kindUDF, true, http.MethodGet, NoForm}:     {"ListUserDefinedFunctions", inContainer, on((*call).listChildren)},
	{kindUDF, false, http.MethodGet, NoForm}:    {"ReadUserDefinedFunction", inContainer, on((*call).readChild)},
	{kindUDF, false, http.MethodPut, NoForm}:    {"ReplaceUserDefinedFunction", inContainer, on((*call).replaceChild)},
	{kindUDF, false, http.MethodDelete, NoForm}: {"DeleteUserDefinedFunction", inContainer, on((*call).deleteChild)},

	{kindUser, true, http.MethodPost, NoForm}:    {"CreateUser", inDatabase, on((*call).createChild)},
	{kindUser, true, http.MethodPost, QueryForm}: {"QueryUsers", inDatabase, on((*call).listChildren)},
	{kindUser, true, http.MethodGet, NoForm}:     {"ListUsers", inDatabase, on((*call).listChildren)},
	{kindUser, false, http.MethodGet, NoForm}:    {"ReadUser", inDatabase, on((*call).readChild)},
	{kindUser, false, http.MethodPut, NoForm}:    {"ReplaceUser", inDatabase, on((*call).replaceChild)},
	{kindUser, false, http.MethodDelete, NoForm}: {"DeleteUser", inDatabase, on((*call).deleteChild)},

	{kindPermission, true, http.MethodPost, NoForm}:    {"CreatePermission", inDatabase, on((*call).createChild)},
	{kindPermission, true, http.MethodPost, QueryForm}: {"QueryPermissions", inDatabase, on((*call).listChildren)},
	{kindPermission, true, http.MethodGet, NoForm}:     {"ListPermissions", inDatabase, on((*call).listChildren)},
	{kindPermission, false, http.MethodGet, NoForm}:    {"ReadPermission", inDatabase, on((*call).readChild)},
	{kindPermission, false, http.MethodPut, NoForm}:    {"ReplacePermission", inDatabase, on((*call).replaceChild)},
	{kindPermission, false, http.MethodDelete, NoForm}: {"DeletePermission", inDatabase, on((*call).deleteChild)},

	{kindEncryption, true, http.MethodPost, NoForm}:    {"CreateClientEncryptionKey", inDatabase, on((*call).createChild)},
	{kindEncryption, true, http.MethodPost, QueryForm}: {"QueryClientEncryptionKeys", inDatabase, on((*call).listChildren)},
	{kindEncryption, true, http.MethodGet, NoForm}:     {"ListClientEncryptionKeys", inDatabase, on((*call).listChildren)},
	{kindEncryption, false, http.MethodGet, NoForm}:    {"ReadClientEncryptionKey", inDatabase, on((*call).readChild)},
	{kindEncryption, false, http.MethodPut, NoForm}:    {"ReplaceClientEncryptionKey", inDatabase, on((*call).replaceChild)},

	{kindDeletion, false, http.MethodPost, NoForm}: {"DeletePartitionKey", inContainer, on((*call).deletePartitionKey)},

	{kindItem, true, http.MethodPost, NoForm}:    {"CreateDocument", inContainer, on((*call).createDocument)},
	{kindItem, true, http.MethodPost, QueryForm}: {"QueryDocuments", inContainer, on((*call).queryDocuments)},
	{kindItem, true, http.MethodPost, PlanForm}:  {"QueryPlan", inContainer, on((*call).queryPlan)},
	{kindItem, true, http.MethodPost, BatchForm}: {"BatchDocuments", inContainer, on((*call).batchDocuments)},
	{kindItem, true, http.MethodGet, NoForm}:     {"ListDocuments", inContainer, on((*call).listDocuments)},
	{kindItem, false, http.MethodGet, NoForm}:    {"ReadDocument", inContainer, on((*call).readDocument)},
	{kindItem, false, http.MethodPut, NoForm}:    {"ReplaceDocument", inContainer, on((*call).replaceDocument)},
	{kindItem, false, http.MethodPatch, NoForm}:  {"PatchDocument", inContainer, on((*call).patchDocument)},
	{kindItem, false, http.MethodDelete, NoForm}: {"DeleteDocument", inContainer, on((*call).deleteDocument)},
}

// on makes an operation of one that sees nothing of HTTP.
func on(run func(*call) *Error) func(*exchange) *Error {
	return func(x *exchange) *Error { return run(&x.call) }
}

// find finds the operation that a request names.
func (x *exchange) find() (*handler, *Error) {
	op := handlers[selector{x.route.kind, x.route.feed, x.method, x.form()}]
	if op == nil {
		return nil, methodNotAllowed()
	}
	return op, nil
}
