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

	{kindDatabase, true, http.MethodPost, NoForm}:    {"CreateDatabase", anywhere, on(createDatabase)},
	{kindDatabase, true, http.MethodGet, NoForm}:     {"ListDatabases", anywhere, on(listDatabases)},
	{kindDatabase, true, http.MethodPost, QueryForm}: {"QueryDatabases", anywhere, on(listDatabases)},
	{kindDatabase, false, http.MethodGet, NoForm}:    {"ReadDatabase", inDatabase, on(readDatabase)},
	{kindDatabase, false, http.MethodDelete, NoForm}: {"DeleteDatabase", inDatabase, on(deleteDatabase)},

	{kindContainer, true, http.MethodPost, NoForm}:    {"CreateContainer", inDatabase, on(createContainer)},
	{kindContainer, true, http.MethodGet, NoForm}:     {"ListContainers", inDatabase, on(listContainers)},
	{kindContainer, true, http.MethodPost, QueryForm}: {"QueryContainers", inDatabase, on(listContainers)},
	{kindContainer, false, http.MethodGet, NoForm}:    {"ReadContainer", inContainer, on(readContainer)},
	{kindContainer, false, http.MethodPut, NoForm}:    {"ReplaceContainer", inContainer, on(replaceContainer)},
	{kindContainer, false, http.MethodDelete, NoForm}: {"DeleteContainer", inContainer, on(deleteContainer)},

	{kindOffer, true, http.MethodGet, NoForm}:     {"ListOffers", anywhere, on(listOffers)},
	{kindOffer, true, http.MethodPost, QueryForm}: {"QueryOffers", anywhere, on(listOffers)},
	{kindOffer, false, http.MethodGet, NoForm}:    {"ReadOffer", anywhere, on(readOffer)},
	{kindOffer, false, http.MethodPut, NoForm}:    {"ReplaceOffer", anywhere, on(replaceOffer)},

	{kindRange, true, http.MethodGet, NoForm}: {"ReadPartitionKeyRanges", inContainer, on(readRanges)},

	{kindConflict, true, http.MethodGet, NoForm}:     {"ListConflicts", inContainer, on(listConflicts)},
	{kindConflict, true, http.MethodPost, QueryForm}: {"QueryConflicts", inContainer, on(queryConflicts)},
	{kindConflict, false, http.MethodGet, NoForm}:    {"ReadConflict", inContainer, on(readConflict)},
	{kindConflict, false, http.MethodDelete, NoForm}: {"DeleteConflict", inContainer, on(readConflict)},

	{kindProcedure, true, http.MethodPost, NoForm}:    {"CreateStoredProcedure", inContainer, on(createChild)},
	{kindProcedure, true, http.MethodPost, QueryForm}: {"QueryStoredProcedures", inContainer, on(listChildren)},
	{kindProcedure, true, http.MethodGet, NoForm}:     {"ListStoredProcedures", inContainer, on(listChildren)},
	{kindProcedure, false, http.MethodGet, NoForm}:    {"ReadStoredProcedure", inContainer, on(readChild)},
	{kindProcedure, false, http.MethodPut, NoForm}:    {"ReplaceStoredProcedure", inContainer, on(replaceChild)},
	{kindProcedure, false, http.MethodDelete, NoForm}: {"DeleteStoredProcedure", inContainer, on(deleteChild)},
	{kindProcedure, false, http.MethodPost, NoForm}:   {"ExecuteStoredProcedure", inContainer, on(executeProcedure)},

	{kindTrigger, true, http.MethodPost, NoForm}:    {"CreateTrigger", inContainer, on(createChild)},
	{kindTrigger, true, http.MethodPost, QueryForm}: {"QueryTriggers", inContainer, on(listChildren)},
	{kindTrigger, true, http.MethodGet, NoForm}:     {"ListTriggers", inContainer, on(listChildren)},
	{kindTrigger, false, http.MethodGet, NoForm}:    {"ReadTrigger", inContainer, on(readChild)},
	{kindTrigger, false, http.MethodPut, NoForm}:    {"ReplaceTrigger", inContainer, on(replaceChild)},
	{kindTrigger, false, http.MethodDelete, NoForm}: {"DeleteTrigger", inContainer, on(deleteChild)},

	{kindUDF, true, http.MethodPost, NoForm}:    {"CreateUserDefinedFunction", inContainer, on(createChild)},
	{kindUDF, true, http.MethodPost, QueryForm}: {"QueryUserDefinedFunctions", inContainer, on(listChildren)},
	{kindUDF, true, http.MethodGet, NoForm}:     {"ListUserDefinedFunctions", inContainer, on(listChildren)},
	{kindUDF, false, http.MethodGet, NoForm}:    {"ReadUserDefinedFunction", inContainer, on(readChild)},
	{kindUDF, false, http.MethodPut, NoForm}:    {"ReplaceUserDefinedFunction", inContainer, on(replaceChild)},
	{kindUDF, false, http.MethodDelete, NoForm}: {"DeleteUserDefinedFunction", inContainer, on(deleteChild)},

	{kindUser, true, http.MethodPost, NoForm}:    {"CreateUser", inDatabase, on(createChild)},
	{kindUser, true, http.MethodPost, QueryForm}: {"QueryUsers", inDatabase, on(listChildren)},
	{kindUser, true, http.MethodGet, NoForm}:     {"ListUsers", inDatabase, on(listChildren)},
	{kindUser, false, http.MethodGet, NoForm}:    {"ReadUser", inDatabase, on(readChild)},
	{kindUser, false, http.MethodPut, NoForm}:    {"ReplaceUser", inDatabase, on(replaceChild)},
	{kindUser, false, http.MethodDelete, NoForm}: {"DeleteUser", inDatabase, on(deleteChild)},

	{kindPermission, true, http.MethodPost, NoForm}:    {"CreatePermission", inDatabase, on(createChild)},
	{kindPermission, true, http.MethodPost, QueryForm}: {"QueryPermissions", inDatabase, on(listChildren)},
	{kindPermission, true, http.MethodGet, NoForm}:     {"ListPermissions", inDatabase, on(listChildren)},
	{kindPermission, false, http.MethodGet, NoForm}:    {"ReadPermission", inDatabase, on(readChild)},
	{kindPermission, false, http.MethodPut, NoForm}:    {"ReplacePermission", inDatabase, on(replaceChild)},
	{kindPermission, false, http.MethodDelete, NoForm}: {"DeletePermission", inDatabase, on(deleteChild)},

	{kindEncryption, true, http.MethodPost, NoForm}:    {"CreateClientEncryptionKey", inDatabase, on(createChild)},
	{kindEncryption, true, http.MethodPost, QueryForm}: {"QueryClientEncryptionKeys", inDatabase, on(listChildren)},
	{kindEncryption, true, http.MethodGet, NoForm}:     {"ListClientEncryptionKeys", inDatabase, on(listChildren)},
	{kindEncryption, false, http.MethodGet, NoForm}:    {"ReadClientEncryptionKey", inDatabase, on(readChild)},
	{kindEncryption, false, http.MethodPut, NoForm}:    {"ReplaceClientEncryptionKey", inDatabase, on(replaceChild)},

	{kindDeletion, false, http.MethodPost, NoForm}: {"DeletePartitionKey", inContainer, on(deletePartitionKey)},

	{kindItem, true, http.MethodPost, NoForm}:    {"CreateDocument", inContainer, on(createDocument)},
	{kindItem, true, http.MethodPost, QueryForm}: {"QueryDocuments", inContainer, on(queryDocuments)},
	{kindItem, true, http.MethodPost, PlanForm}:  {"QueryPlan", inContainer, on(queryPlan)},
	{kindItem, true, http.MethodPost, BatchForm}: {"BatchDocuments", inContainer, on(batchDocuments)},
	{kindItem, true, http.MethodGet, NoForm}:     {"ListDocuments", inContainer, on(listDocuments)},
	{kindItem, false, http.MethodGet, NoForm}:    {"ReadDocument", inContainer, on(readDocument)},
	{kindItem, false, http.MethodPut, NoForm}:    {"ReplaceDocument", inContainer, on(replaceDocument)},
	{kindItem, false, http.MethodPatch, NoForm}:  {"PatchDocument", inContainer, on(patchDocument)},
	{kindItem, false, http.MethodDelete, NoForm}: {"DeleteDocument", inContainer, on(deleteDocument)},
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
