import com.amazonaws.client.builder.AwsClientBuilder.EndpointConfiguration;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBClientBuilder;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBHashKey;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBMapper;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBMapperConfig.ConsistentReads;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBTable;
import com.amazonaws.services.dynamodbv2.datamodeling.DynamoDBVersionAttribute;
import com.amazonaws.services.dynamodbv2.model.BillingMode;

/** AccountTest saves an account with a version and reads it. */
public class AccountTest {
    @DynamoDBTable(tableName = "accounts")
    public static class Account {
        private String id;
        private long balance;
        private Long version;

        @DynamoDBHashKey
        public String getId() { return id; }
        public void setId(String id) { this.id = id; }
        public long getBalance() { return balance; }
        public void setBalance(long balance) { this.balance = balance; }
        @DynamoDBVersionAttribute
        public Long getVersion() { return version; }
        public void setVersion(Long version) { this.version = version; }
    }

    public static void main(String[] args) {
        var client = AmazonDynamoDBClientBuilder.standard().withEndpointConfiguration(
            new EndpointConfiguration(System.getenv("AWS_ENDPOINT_URL_DYNAMODB"), System.getenv("AWS_REGION"))).build();
        var mapper = new DynamoDBMapper(client);
        client.createTable(mapper.generateCreateTableRequest(Account.class).withBillingMode(BillingMode.PAY_PER_REQUEST));
        var account = new Account();
        account.setId("ana");
        account.setBalance(20);
        mapper.save(account);
        if (mapper.load(Account.class, "ana", ConsistentReads.CONSISTENT.config()).getBalance() != 20) {
            throw new AssertionError("ana's account does not hold 20");
        }
        System.exit(0);
    }
}
