package keyspace

// Cosmos is the first byte of the keys of Cosmos DB.
const Cosmos byte = 'z'

// The second byte of the keys in Cosmos.
const (
	CosmosCatalog    byte = 'm'
	CosmosCounters   byte = 'n'
	CosmosContainers byte = 'd'
	CosmosExpiry     byte = 'e'
	CosmosBackup     byte = 'b'
)

// The third byte of the keys in CosmosCatalog: the kind of resource.
const (
	CatalogDatabase      byte = 'd'
	CatalogContainer     byte = 'c'
	CatalogOffer         byte = 'o'
	CatalogUser          byte = 'u'
	CatalogPermission    byte = 'p'
	CatalogEncryptionKey byte = 'k'
	CatalogNumbers       byte = 'n'
	CatalogHighest       byte = 'h'
)

// The byte after the container's number in the keys in CosmosContainers.
const (
	ContainerItem          byte = 'd'
	ContainerIdentity      byte = 'i'
	ContainerUniqueKey     byte = 'u'
	ContainerScript        byte = 's'
	ContainerScriptNumbers byte = 'n'
	ContainerChangeFeed    byte = 'l'
	ContainerIndex         byte = 'k'
	ContainerIndexEntry    byte = 'x'
)

func cosmosDB() []Space {
	return []Space{
		{path(Cosmos, CosmosCatalog, CatalogDatabase), "databases", "database number", "the database, JSON"},
		{path(Cosmos, CosmosCatalog, CatalogContainer), "containers", "container number",
			"the container and its partitions, JSON; with restoring while its items are being restored"},
		{path(Cosmos, CosmosCatalog, CatalogOffer), "offers", "offer number", "the offer, JSON"},
		{path(Cosmos, CosmosCatalog, CatalogUser), "users", "database number, id", "the user, JSON"},
		{path(Cosmos, CosmosCatalog, CatalogPermission), "permissions", "database number, user number, id",
			"the permission, JSON"},
		{path(Cosmos, CosmosCatalog, CatalogEncryptionKey), "client encryption keys", "database number, id",
			"the wrapped key, JSON"},
		{path(Cosmos, CosmosCatalog, CatalogNumbers), "free numbers of users, permissions and client encryption keys",
			"database number, letter of the kind, perhaps user number", "the next number and the end, eight bytes each"},
		{path(Cosmos, CosmosCatalog, CatalogHighest), "highest numbers of databases, containers and offers", "nothing",
			"the numbers, JSON"},
		{path(Cosmos, CosmosCounters), "counters of containers", "container number", "how far its numbers are taken"},
		{path(Cosmos, CosmosExpiry), "time to live of containers", "second, container number, rid", "nothing"},
		{path(Cosmos, CosmosBackup), "continuous backup of Cosmos DB", "nothing", "the position where it begins, eight bytes"},
		{path(Cosmos, CosmosContainers, number, ContainerItem), "items of containers", "rid",
			"an item; the order of creation"},
		{path(Cosmos, CosmosContainers, number, ContainerIdentity), "ids of items", "EPK, partition key, id",
			"the item's rid"},
		{path(Cosmos, CosmosContainers, number, ContainerUniqueKey), "unique keys", "EPK, partition key, hash of the values",
			"the item's id"},
		{path(Cosmos, CosmosContainers, number, ContainerScript), "scripts", "first letter of the kind, id",
			"the script, JSON"},
		{path(Cosmos, CosmosContainers, number, ContainerScriptNumbers), "free numbers of scripts",
			"first letter of the kind", "the next number and the end, eight bytes each"},
		{path(Cosmos, CosmosContainers, number, ContainerChangeFeed), "change feeds",
			"LSN; the rid too, of a transaction of several items", "the item's rid"},
		{path(Cosmos, CosmosContainers, number, ContainerIndex), "indexes of containers", "index number",
			"what the index is of"},
		{path(Cosmos, CosmosContainers, number, ContainerIndexEntry), "index entries of containers",
			"index number, perhaps EPK, value, rid", "the item's EPK"},
	}
}
