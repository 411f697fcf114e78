import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A small shop on Cosmos DB by the Java SDK in gateway mode: what an application does with a container, a line a step. It ends with
 * a stack trace and status 1 at the first answer that is not the documented one.
 *
 * <p>AZURE_COSMOS_ENDPOINT (https://localhost:8081) and AZURE_COSMOS_KEY (the emulators' key) say where. Against an emulator the
 * client wants -DCOSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED=true.
 */
public final class Orders {
    private static final String KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";
    private static final String DATABASE = "shop-java";
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] arguments) {
        var builder = new CosmosClientBuilder()
            .endpoint(System.getenv().getOrDefault("AZURE_COSMOS_ENDPOINT", "https://localhost:8081"))
            .key(System.getenv().getOrDefault("AZURE_COSMOS_KEY", KEY))
            .contentResponseOnWriteEnabled(true)
            .gatewayMode();
        try (CosmosClient client = builder.buildClient()) {
            CosmosContainer orders = create(client);
            Stream.<Consumer<CosmosContainer>>of(Orders::items, Orders::concurrency, Orders::patch, Orders::batch, Orders::queries,
                Orders::readMany, Orders::changeFeed, Orders::throughput).forEach(step -> step.accept(orders));
            client.getDatabase(DATABASE).delete();
            System.out.println("ok: database deleted");
        }
    }

    /** Makes the container anew: a key of two levels, and throughput for two physical partitions. */
    private static CosmosContainer create(CosmosClient client) {
        if (client.readAllDatabases().stream().anyMatch(d -> d.getId().equals(DATABASE))) {
            client.getDatabase(DATABASE).delete();
        }
        client.createDatabase(DATABASE);
        var key = new PartitionKeyDefinition()
            .setPaths(List.of("/shop", "/customer"))
            .setKind(PartitionKind.MULTI_HASH)
            .setVersion(PartitionKeyDefinitionVersion.V2);
        var shop = client.getDatabase(DATABASE);
        shop.createContainer(new CosmosContainerProperties("orders", key), ThroughputProperties.createManualThroughput(12_000));
        CosmosContainer orders = shop.getContainer("orders");
        expect(2, orders.getFeedRanges().size());
        System.out.println("ok: container of two physical partitions");
        return orders;
    }

    /** Writes twenty orders of ten customers and reads one back. */
    private static void items(CosmosContainer orders) {
        for (int i = 0; i < 20; i++) {
            var order = order(String.format("o%02d", i), "north", "c" + i % 10, 10 * i);
            expect(201, orders.createItem(order).getStatusCode());
        }
        expect(70, read(orders, "o07").get("total").asInt());
        refused(404, () -> orders.readItem("o07", customer("north", "c6"), ObjectNode.class));
        System.out.println("ok: items created, read; not there under another customer");
    }

    /** Lets the second of two writers with the same ETag lose. */
    private static void concurrency(CosmosContainer orders) {
        ObjectNode order = read(orders, "o07").put("state", "paid");
        var seen = new CosmosItemRequestOptions().setIfMatchETag(order.get("_etag").asText());
        orders.replaceItem(order, "o07", customer("north", "c7"), seen);
        refused(412, () -> orders.replaceItem(order, "o07", customer("north", "c7"), seen));
        System.out.println("ok: replaced by ETag; the second writer lost");
    }

    private static void patch(CosmosContainer orders) {
        var change = CosmosPatchOperations.create().increment("/total", 5).set("/state", "sent");
        var options = new CosmosPatchItemRequestOptions().setFilterPredicate("from c where c.state = 'paid'");
        var patched = orders.patchItem("o07", customer("north", "c7"), change, options, ObjectNode.class).getItem();
        expect(75, patched.get("total").asInt());
        refused(412, () -> orders.patchItem("o07", customer("north", "c7"), change, options, ObjectNode.class));
        System.out.println("ok: patched once; its condition does not hold twice");
    }

    /** Commits two operations of one customer together, and then nothing of two that cannot both be. */
    private static void batch(CosmosContainer orders) {
        var good = CosmosBatch.createCosmosBatch(customer("north", "c1"));
        good.createItemOperation(order("o20", "north", "c1", 1));
        good.deleteItemOperation("o11");
        expect(List.of(201, 204), statuses(orders.executeCosmosBatch(good)));
        var bad = CosmosBatch.createCosmosBatch(customer("north", "c1"));
        bad.deleteItemOperation("o01");
        bad.deleteItemOperation("o11");
        expect(List.of(424, 404), statuses(orders.executeCosmosBatch(bad)));
        read(orders, "o01");
        System.out.println("ok: a batch is all or nothing");
    }

    private static List<Integer> statuses(CosmosBatchResponse response) {
        return response.getResults().stream().map(CosmosBatchOperationResult::getStatusCode).toList();
    }

    /** Sorts, counts, groups and averages over all customers: the client merges the physical partitions by the query's plan. */
    private static void queries(CosmosContainer orders) {
        var customer = new CosmosQueryRequestOptions().setPartitionKey(customer("north", "c1"));
        query(orders, customer, "SELECT VALUE c.id FROM c ORDER BY c.total", "[\"o20\",\"o01\"]");
        var everybody = new CosmosQueryRequestOptions();
        query(orders, everybody, "SELECT TOP 3 VALUE c.id FROM c ORDER BY c.total DESC", "[\"o19\",\"o18\",\"o17\"]");
        query(orders, everybody, "SELECT VALUE c.id FROM c ORDER BY c.total OFFSET 4 LIMIT 2", "[\"o03\",\"o04\"]");
        query(orders, everybody, "SELECT VALUE COUNT(1) FROM c", "[20]");
        query(orders, everybody, "SELECT VALUE AVG(c.total) FROM c WHERE c.customer = 'c2'", "[70.0]");
        query(orders, everybody, "SELECT c.state, COUNT(1) AS n FROM c WHERE c.state = 'open' GROUP BY c.state", "[{\"state\":\"open\",\"n\":19}]");
        query(orders, everybody, "SELECT DISTINCT VALUE c.shop FROM c", "[\"north\"]");
        refused(400, () -> query(orders, everybody, "SELECT VALUE c.id FROM c WHERE", ""));
        System.out.println("ok: queries of one customer and of all");
    }

    private static void query(CosmosContainer orders, CosmosQueryRequestOptions options, String text, String want) {
        expect(want, JSON.valueToTree(orders.queryItems(text, options, JsonNode.class).stream().toList()).toString());
    }

    private static void readMany(CosmosContainer orders) {
        var wanted = Stream.of("o02", "o03", "o99").map(id -> new CosmosItemIdentity(customer("north", "c" + id.charAt(2)), id)).toList();
        expect(2, orders.readMany(wanted, ObjectNode.class).getResults().size());
        System.out.println("ok: many read at once");
    }

    /** Reads all that was written, then only what is written after it. */
    private static void changeFeed(CosmosContainer orders) {
        var all = CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange());
        var ids = new ArrayList<String>();
        String continuation = drain(orders, all, ids);
        expect(20, ids.size());
        orders.upsertItem(order("o30", "south", "c0", 0));
        ids.clear();
        drain(orders, CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(continuation), ids);
        expect(List.of("o30"), ids);
        System.out.println("ok: change feed, and on from where it ended");
    }

    private static String drain(CosmosContainer orders, CosmosChangeFeedRequestOptions from, List<String> ids) {
        String continuation = null;
        for (FeedResponse<ObjectNode> page : orders.queryChangeFeed(from.setMaxItemCount(4), ObjectNode.class).iterableByPage()) {
            page.getResults().forEach(order -> ids.add(order.get("id").asText()));
            continuation = page.getContinuationToken();
        }
        return continuation;
    }

    private static void throughput(CosmosContainer orders) {
        expect(12_000, orders.readThroughput().getProperties().getManualThroughput());
        orders.replaceThroughput(ThroughputProperties.createManualThroughput(13_000));
        expect(13_000, orders.readThroughput().getProperties().getManualThroughput());
        System.out.println("ok: throughput read and replaced");
    }

    private static ObjectNode order(String id, String shop, String customer, int total) {
        return JSON.createObjectNode().put("id", id).put("shop", shop).put("customer", customer).put("total", total).put("state", "open");
    }

    private static ObjectNode read(CosmosContainer orders, String id) {
        return orders.readItem(id, customer("north", "c" + id.charAt(2)), ObjectNode.class).getItem();
    }

    private static PartitionKey customer(String shop, String name) {
        return new PartitionKeyBuilder().add(shop).add(name).build();
    }

    private static void expect(Object want, Object got) {
        if (!Objects.equals(want, got)) {
            throw new AssertionError(got + ", not " + want);
        }
    }

    private static void refused(int status, Runnable operation) {
        try {
            operation.run();
        } catch (CosmosException refusal) {
            expect(status, refusal.getStatusCode());
            return;
        }
        throw new AssertionError("not refused with " + status);
    }
}
