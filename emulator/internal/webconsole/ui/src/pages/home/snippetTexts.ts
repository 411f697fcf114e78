/** The programs of the home page: each connects and lists the tables or databases. */
import { copyAs, languages, type Endpoint } from '../../copyas/copyas'
import { cosmosGoProgram } from '../../copyas/cosmos/goProgram'
import { quote } from '../../copyas/quote'

export function dynamoSnippets(at: Endpoint): Record<string, string> {
  const request = { operation: 'ListTables', input: {} }
  return Object.fromEntries(languages.filter((l) => l !== 'Gherkin').map((l) => [l, copyAs(l, request, at)]))
}

export function cosmosSnippets(endpoint: string, key: string): Record<string, string> {
  const [e, k] = [quote(endpoint), quote(key)]
  return {
    Go: cosmosGoProgram({ endpoint, key }, `	pages := client.NewQueryDatabasesPager("SELECT * FROM d", nil)
	for pages.More() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		for _, db := range page.Databases {
			fmt.Println(db.ID)
		}
	}
`),
    Python: `from azure.cosmos import CosmosClient

client = CosmosClient(${e}, ${k}, connection_verify=False)
for database in client.list_databases():
    print(database["id"])
`,
    JavaScript: `import { Agent } from "node:https";
import { CosmosClient } from "@azure/cosmos";

const client = new CosmosClient({
  endpoint: ${e},
  key: ${k},
  agent: new Agent({ rejectUnauthorized: false }),
});
const { resources } = await client.databases.readAll().fetchAll();
for (const database of resources) console.log(database.id);
`,
    Java: `// Import the certificate into the trust store of Java first: docs/cosmos.md, "From an SDK".
import com.azure.cosmos.CosmosClientBuilder;

class Main {
  public static void main(String[] args) {
    try (var client = new CosmosClientBuilder()
        .endpoint(${e})
        .key(${k})
        .gatewayMode()
        .buildClient()) {
      client.readAllDatabases().forEach(database -> System.out.println(database.getId()));
    }
  }
}
`,
  }
}
