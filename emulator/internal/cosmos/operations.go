package cosmos

import (
	"net/http"
	"strings"
)

// operation is something that the service does: what it is called in faults, measures and logs, where it works, and how.
type operation struct {
	name string
	in   place
	run  func(*call) *Error
}

// place is what has to be there before an operation runs.
type place uint8

const (
	anywhere    place = iota
	inDatabase        // c.database is found first
	inContainer       // c.container and c.database are
)

// request is what tells operations apart: the kind of resource, whether all of the kind are meant, the method, and what the
// headers make of it.
type request struct {
	kind   kind
	feed   bool
	method string
	form   form
}

// form is what headers make of a request.
type form string

const (
	plain form = ""
	query form = "query"
	plan  form = "plan"
	batch form = "batch"
)

// operations are all operations that there are.
var operations = map[request]*operation{
	{kindAccount, false, http.MethodGet, plain}: {"ReadAccount", anywhere, (*call).readAccount},

	{kindDatabase, true, http.MethodPost, plain}:    {"CreateDatabase", anywhere, (*call).createDatabase},
	{kindDatabase, true, http.MethodGet, plain}:     {"ListDatabases", anywhere, (*call).listDatabases},
	{kindDatabase, true, http.MethodPost, query}:    {"QueryDatabases", anywhere, (*call).listDatabases},
	{kindDatabase, false, http.MethodGet, plain}:    {"ReadDatabase", inDatabase, (*call).readDatabase},
	{kindDatabase, false, http.MethodDelete, plain}: {"DeleteDatabase", inDatabase, (*call).deleteDatabase},

	{kindContainer, true, http.MethodPost, plain}:    {"CreateContainer", inDatabase, (*call).createContainer},
	{kindContainer, true, http.MethodGet, plain}:     {"ListContainers", inDatabase, (*call).listContainers},
	{kindContainer, true, http.MethodPost, query}:    {"QueryContainers", inDatabase, (*call).listContainers},
	{kindContainer, false, http.MethodGet, plain}:    {"ReadContainer", inContainer, (*call).readContainer},
	{kindContainer, false, http.MethodPut, plain}:    {"ReplaceContainer", inContainer, (*call).replaceContainer},
	{kindContainer, false, http.MethodDelete, plain}: {"DeleteContainer", inContainer, (*call).deleteContainer},

	{kindOffer, true, http.MethodGet, plain}:  {"ListOffers", anywhere, (*call).listOffers},
	{kindOffer, true, http.MethodPost, query}: {"QueryOffers", anywhere, (*call).listOffers},
	{kindOffer, false, http.MethodGet, plain}: {"ReadOffer", anywhere, (*call).readOffer},
	{kindOffer, false, http.MethodPut, plain}: {"ReplaceOffer", anywhere, (*call).replaceOffer},

	{kindRange, true, http.MethodGet, plain}: {"ReadPartitionKeyRanges", inContainer, (*call).readRanges},

	{kindConflict, true, http.MethodGet, plain}:     {"ListConflicts", inContainer, (*call).listConflicts},
	{kindConflict, true, http.MethodPost, query}:    {"QueryConflicts", inContainer, (*call).queryConflicts},
	{kindConflict, false, http.MethodGet, plain}:    {"ReadConflict", inContainer, (*call).readConflict},
	{kindConflict, false, http.MethodDelete, plain}: {"DeleteConflict", inContainer, (*call).readConflict},

	{kindProcedure, true, http.MethodPost, plain}:    {"CreateStoredProcedure", inContainer, (*call).createShelved},
	{kindProcedure, true, http.MethodPost, query}:    {"QueryStoredProcedures", inContainer, (*call).listShelved},
	{kindProcedure, true, http.MethodGet, plain}:     {"ListStoredProcedures", inContainer, (*call).listShelved},
	{kindProcedure, false, http.MethodGet, plain}:    {"ReadStoredProcedure", inContainer, (*call).readShelved},
	{kindProcedure, false, http.MethodPut, plain}:    {"ReplaceStoredProcedure", inContainer, (*call).replaceShelved},
	{kindProcedure, false, http.MethodDelete, plain}: {"DeleteStoredProcedure", inContainer, (*call).deleteShelved},
	{kindProcedure, false, http.MethodPost, plain}:   {"ExecuteStoredProcedure", inContainer, (*call).executeProcedure},

	{kindTrigger, true, http.MethodPost, plain}:    {"CreateTrigger", inContainer, (*call).createShelved},
	{kindTrigger, true, http.MethodPost, query}:    {"QueryTriggers", inContainer, (*call).listShelved},
	{kindTrigger, true, http.MethodGet, plain}:     {"ListTriggers", inContainer, (*call).listShelved},
	{kindTrigger, false, http.MethodGet, plain}:    {"ReadTrigger", inContainer, (*call).readShelved},
	{kindTrigger, false, http.MethodPut, plain}:    {"ReplaceTrigger", inContainer, (*call).replaceShelved},
	{kindTrigger, false, http.MethodDelete, plain}: {"DeleteTrigger", inContainer, (*call).deleteShelved},

	{kindUDF, true, http.MethodPost, plain}:    {"CreateUserDefinedFunction", inContainer, (*call).createShelved},
	{kindUDF, true, http.MethodPost, query}:    {"QueryUserDefinedFunctions", inContainer, (*call).listShelved},
	{kindUDF, true, http.MethodGet, plain}:     {"ListUserDefinedFunctions", inContainer, (*call).listShelved},
	{kindUDF, false, http.MethodGet, plain}:    {"ReadUserDefinedFunction", inContainer, (*call).readShelved},
	{kindUDF, false, http.MethodPut, plain}:    {"ReplaceUserDefinedFunction", inContainer, (*call).replaceShelved},
	{kindUDF, false, http.MethodDelete, plain}: {"DeleteUserDefinedFunction", inContainer, (*call).deleteShelved},

	{kindUser, true, http.MethodPost, plain}:    {"CreateUser", inDatabase, (*call).createShelved},
	{kindUser, true, http.MethodPost, query}:    {"QueryUsers", inDatabase, (*call).listShelved},
	{kindUser, true, http.MethodGet, plain}:     {"ListUsers", inDatabase, (*call).listShelved},
	{kindUser, false, http.MethodGet, plain}:    {"ReadUser", inDatabase, (*call).readShelved},
	{kindUser, false, http.MethodPut, plain}:    {"ReplaceUser", inDatabase, (*call).replaceShelved},
	{kindUser, false, http.MethodDelete, plain}: {"DeleteUser", inDatabase, (*call).deleteShelved},

	{kindPermission, true, http.MethodPost, plain}:    {"CreatePermission", inDatabase, (*call).createShelved},
	{kindPermission, true, http.MethodPost, query}:    {"QueryPermissions", inDatabase, (*call).listShelved},
	{kindPermission, true, http.MethodGet, plain}:     {"ListPermissions", inDatabase, (*call).listShelved},
	{kindPermission, false, http.MethodGet, plain}:    {"ReadPermission", inDatabase, (*call).readShelved},
	{kindPermission, false, http.MethodPut, plain}:    {"ReplacePermission", inDatabase, (*call).replaceShelved},
	{kindPermission, false, http.MethodDelete, plain}: {"DeletePermission", inDatabase, (*call).deleteShelved},

	{kindEncryption, true, http.MethodPost, plain}: {"CreateClientEncryptionKey", inDatabase, (*call).createShelved},
	{kindEncryption, true, http.MethodPost, query}: {"QueryClientEncryptionKeys", inDatabase, (*call).listShelved},
	{kindEncryption, true, http.MethodGet, plain}:  {"ListClientEncryptionKeys", inDatabase, (*call).listShelved},
	{kindEncryption, false, http.MethodGet, plain}: {"ReadClientEncryptionKey", inDatabase, (*call).readShelved},
	{kindEncryption, false, http.MethodPut, plain}: {"ReplaceClientEncryptionKey", inDatabase, (*call).replaceShelved},

	{kindDeletion, false, http.MethodPost, plain}: {"DeletePartitionKey", inContainer, (*call).deletePartitionKey},

	{kindItem, true, http.MethodPost, plain}:    {"CreateDocument", inContainer, (*call).createDocument},
	{kindItem, true, http.MethodPost, query}:    {"QueryDocuments", inContainer, (*call).queryDocuments},
	{kindItem, true, http.MethodPost, plan}:     {"QueryPlan", inContainer, (*call).queryPlan},
	{kindItem, true, http.MethodPost, batch}:    {"BatchDocuments", inContainer, (*call).batchDocuments},
	{kindItem, true, http.MethodGet, plain}:     {"ListDocuments", inContainer, (*call).listDocuments},
	{kindItem, false, http.MethodGet, plain}:    {"ReadDocument", inContainer, (*call).readDocument},
	{kindItem, false, http.MethodPut, plain}:    {"ReplaceDocument", inContainer, (*call).replaceDocument},
	{kindItem, false, http.MethodPatch, plain}:  {"PatchDocument", inContainer, (*call).patchDocument},
	{kindItem, false, http.MethodDelete, plain}: {"DeleteDocument", inContainer, (*call).deleteDocument},
}

// find finds the operation that a request names.
func (c *call) find() (*operation, *Error) {
	op := operations[request{c.route.kind, c.route.feed, c.r.Method, c.form()}]
	if op == nil {
		return nil, methodNotAllowed()
	}
	return op, nil
}

// queryType says that the content type is a query's: JSON with parameters, or the statement alone.
func (c *call) queryType() bool {
	kind, _, _ := strings.Cut(c.head("Content-Type"), ";")
	return kind == "application/query+json" || kind == "application/sql"
}

// form is what the headers make of the request. Python asks for a plan without saying that it is a query, so plans are told
// first.
func (c *call) form() form {
	if c.r.Method != http.MethodPost || !c.route.feed {
		return plain
	}
	switch {
	case c.flag("X-Ms-Cosmos-Is-Query-Plan-Request"):
		return plan
	case c.flag("X-Ms-Documentdb-Isquery"), c.flag("X-Ms-Documentdb-Query"), c.queryType():
		return query
	case c.flag("X-Ms-Cosmos-Is-Batch-Request"):
		return batch
	}
	return plain
}
