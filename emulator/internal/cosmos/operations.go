package cosmos

import "net/http"

// operation is something that the service does: what it is called in faults, measures and logs, where it works, and how.
type operation struct {
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

// operations are all operations that there are.
var operations = map[selector]*operation{
	{kindAccount, false, http.MethodGet, plain}: {"ReadAccount", anywhere, (*exchange).readAccount},

	{kindDatabase, true, http.MethodPost, plain}:    {"CreateDatabase", anywhere, on((*call).createDatabase)},
	{kindDatabase, true, http.MethodGet, plain}:     {"ListDatabases", anywhere, on((*call).listDatabases)},
	{kindDatabase, true, http.MethodPost, query}:    {"QueryDatabases", anywhere, on((*call).listDatabases)},
	{kindDatabase, false, http.MethodGet, plain}:    {"ReadDatabase", inDatabase, on((*call).readDatabase)},
	{kindDatabase, false, http.MethodDelete, plain}: {"DeleteDatabase", inDatabase, on((*call).deleteDatabase)},

	{kindContainer, true, http.MethodPost, plain}:    {"CreateContainer", inDatabase, on((*call).createContainer)},
	{kindContainer, true, http.MethodGet, plain}:     {"ListContainers", inDatabase, on((*call).listContainers)},
	{kindContainer, true, http.MethodPost, query}:    {"QueryContainers", inDatabase, on((*call).listContainers)},
	{kindContainer, false, http.MethodGet, plain}:    {"ReadContainer", inContainer, on((*call).readContainer)},
	{kindContainer, false, http.MethodPut, plain}:    {"ReplaceContainer", inContainer, on((*call).replaceContainer)},
	{kindContainer, false, http.MethodDelete, plain}: {"DeleteContainer", inContainer, on((*call).deleteContainer)},

	{kindOffer, true, http.MethodGet, plain}:  {"ListOffers", anywhere, on((*call).listOffers)},
	{kindOffer, true, http.MethodPost, query}: {"QueryOffers", anywhere, on((*call).listOffers)},
	{kindOffer, false, http.MethodGet, plain}: {"ReadOffer", anywhere, on((*call).readOffer)},
	{kindOffer, false, http.MethodPut, plain}: {"ReplaceOffer", anywhere, on((*call).replaceOffer)},

	{kindRange, true, http.MethodGet, plain}: {"ReadPartitionKeyRanges", inContainer, on((*call).readRanges)},

	{kindConflict, true, http.MethodGet, plain}:     {"ListConflicts", inContainer, on((*call).listConflicts)},
	{kindConflict, true, http.MethodPost, query}:    {"QueryConflicts", inContainer, on((*call).queryConflicts)},
	{kindConflict, false, http.MethodGet, plain}:    {"ReadConflict", inContainer, on((*call).readConflict)},
	{kindConflict, false, http.MethodDelete, plain}: {"DeleteConflict", inContainer, on((*call).readConflict)},

	{kindProcedure, true, http.MethodPost, plain}:    {"CreateStoredProcedure", inContainer, on((*call).createShelved)},
	{kindProcedure, true, http.MethodPost, query}:    {"QueryStoredProcedures", inContainer, on((*call).listShelved)},
	{kindProcedure, true, http.MethodGet, plain}:     {"ListStoredProcedures", inContainer, on((*call).listShelved)},
	{kindProcedure, false, http.MethodGet, plain}:    {"ReadStoredProcedure", inContainer, on((*call).readShelved)},
	{kindProcedure, false, http.MethodPut, plain}:    {"ReplaceStoredProcedure", inContainer, on((*call).replaceShelved)},
	{kindProcedure, false, http.MethodDelete, plain}: {"DeleteStoredProcedure", inContainer, on((*call).deleteShelved)},
	{kindProcedure, false, http.MethodPost, plain}:   {"ExecuteStoredProcedure", inContainer, on((*call).executeProcedure)},

	{kindTrigger, true, http.MethodPost, plain}:    {"CreateTrigger", inContainer, on((*call).createShelved)},
	{kindTrigger, true, http.MethodPost, query}:    {"QueryTriggers", inContainer, on((*call).listShelved)},
	{kindTrigger, true, http.MethodGet, plain}:     {"ListTriggers", inContainer, on((*call).listShelved)},
	{kindTrigger, false, http.MethodGet, plain}:    {"ReadTrigger", inContainer, on((*call).readShelved)},
	{kindTrigger, false, http.MethodPut, plain}:    {"ReplaceTrigger", inContainer, on((*call).replaceShelved)},
	{kindTrigger, false, http.MethodDelete, plain}: {"DeleteTrigger", inContainer, on((*call).deleteShelved)},

	{kindUDF, true, http.MethodPost, plain}:    {"CreateUserDefinedFunction", inContainer, on((*call).createShelved)},
	{kindUDF, true, http.MethodPost, query}:    {"QueryUserDefinedFunctions", inContainer, on((*call).listShelved)},
	{kindUDF, true, http.MethodGet, plain}:     {"ListUserDefinedFunctions", inContainer, on((*call).listShelved)},
	{kindUDF, false, http.MethodGet, plain}:    {"ReadUserDefinedFunction", inContainer, on((*call).readShelved)},
	{kindUDF, false, http.MethodPut, plain}:    {"ReplaceUserDefinedFunction", inContainer, on((*call).replaceShelved)},
	{kindUDF, false, http.MethodDelete, plain}: {"DeleteUserDefinedFunction", inContainer, on((*call).deleteShelved)},

	{kindUser, true, http.MethodPost, plain}:    {"CreateUser", inDatabase, on((*call).createShelved)},
	{kindUser, true, http.MethodPost, query}:    {"QueryUsers", inDatabase, on((*call).listShelved)},
	{kindUser, true, http.MethodGet, plain}:     {"ListUsers", inDatabase, on((*call).listShelved)},
	{kindUser, false, http.MethodGet, plain}:    {"ReadUser", inDatabase, on((*call).readShelved)},
	{kindUser, false, http.MethodPut, plain}:    {"ReplaceUser", inDatabase, on((*call).replaceShelved)},
	{kindUser, false, http.MethodDelete, plain}: {"DeleteUser", inDatabase, on((*call).deleteShelved)},

	{kindPermission, true, http.MethodPost, plain}:    {"CreatePermission", inDatabase, on((*call).createShelved)},
	{kindPermission, true, http.MethodPost, query}:    {"QueryPermissions", inDatabase, on((*call).listShelved)},
	{kindPermission, true, http.MethodGet, plain}:     {"ListPermissions", inDatabase, on((*call).listShelved)},
	{kindPermission, false, http.MethodGet, plain}:    {"ReadPermission", inDatabase, on((*call).readShelved)},
	{kindPermission, false, http.MethodPut, plain}:    {"ReplacePermission", inDatabase, on((*call).replaceShelved)},
	{kindPermission, false, http.MethodDelete, plain}: {"DeletePermission", inDatabase, on((*call).deleteShelved)},

	{kindEncryption, true, http.MethodPost, plain}: {"CreateClientEncryptionKey", inDatabase, on((*call).createShelved)},
	{kindEncryption, true, http.MethodPost, query}: {"QueryClientEncryptionKeys", inDatabase, on((*call).listShelved)},
	{kindEncryption, true, http.MethodGet, plain}:  {"ListClientEncryptionKeys", inDatabase, on((*call).listShelved)},
	{kindEncryption, false, http.MethodGet, plain}: {"ReadClientEncryptionKey", inDatabase, on((*call).readShelved)},
	{kindEncryption, false, http.MethodPut, plain}: {"ReplaceClientEncryptionKey", inDatabase, on((*call).replaceShelved)},

	{kindDeletion, false, http.MethodPost, plain}: {"DeletePartitionKey", inContainer, on((*call).deletePartitionKey)},

	{kindItem, true, http.MethodPost, plain}:    {"CreateDocument", inContainer, on((*call).createDocument)},
	{kindItem, true, http.MethodPost, query}:    {"QueryDocuments", inContainer, on((*call).queryDocuments)},
	{kindItem, true, http.MethodPost, plan}:     {"QueryPlan", inContainer, on((*call).queryPlan)},
	{kindItem, true, http.MethodPost, batch}:    {"BatchDocuments", inContainer, on((*call).batchDocuments)},
	{kindItem, true, http.MethodGet, plain}:     {"ListDocuments", inContainer, on((*call).listDocuments)},
	{kindItem, false, http.MethodGet, plain}:    {"ReadDocument", inContainer, on((*call).readDocument)},
	{kindItem, false, http.MethodPut, plain}:    {"ReplaceDocument", inContainer, on((*call).replaceDocument)},
	{kindItem, false, http.MethodPatch, plain}:  {"PatchDocument", inContainer, on((*call).patchDocument)},
	{kindItem, false, http.MethodDelete, plain}: {"DeleteDocument", inContainer, on((*call).deleteDocument)},
}

// on makes an operation of one that sees nothing of HTTP.
func on(run func(*call) *Error) func(*exchange) *Error {
	return func(x *exchange) *Error { return run(&x.call) }
}

// find finds the operation that a request names.
func (x *exchange) find() (*operation, *Error) {
	op := operations[selector{x.route.kind, x.route.feed, x.method, x.form()}]
	if op == nil {
		return nil, methodNotAllowed()
	}
	return op, nil
}
