Feature: Requests and tables
  A client can compress its requests, receive compressed responses, and name a table by its ARN. A table can have tags.

  @SV-N1.request @SV-N1.response @needs:commands
  Scenario Outline: Large requests and responses are compressed with <encoding>
    Given an emulator
    And a table "orders" with the key "customer" and the sort key "id"
    When the client compresses its requests with <encoding>
    And 10 items of 1 KB are put into "orders" under "customer" "ann"
    And a client sends a Query of "orders" where "customer = 'ann'"
    Then 10 items are found
    And the response was compressed with <encoding>

    Examples:
      | encoding |
      | gzip     |
      | deflate  |

  @SV-N1.broken @needs:commands
  Scenario: A request that is not compressed as its header says is refused
    Given an emulator
    And a table "orders" with the key "id"
    When the client says that its requests are compressed with gzip, although they are not
    And a client sends a PutItem of "orders" with {"id": "7"}
    Then it is refused with InternalServerError
    And table "orders" holds no items

  @SV-N2.name @needs:commands
  Scenario: A table's ARN can be used instead of its name
    Given an emulator
    And a table "orders" with the key "id"
    When the item {"id": "7"} is put into the table with the ARN of "orders"
    And the item {"id": "7"} of "orders" is read
    Then it has the id "7"

  @SV-N2.others @needs:commands
  Scenario: The ARN of a table in another account or region is refused
    Given an emulator
    And a table "orders" with the key "id"
    When the item {"id": "7"} is put into the table with the ARN of "orders" in the account "210987654321"
    Then it is refused with AccessDeniedException
    When the item {"id": "7"} is put into the table with the ARN of "orders" in the region "eu-west-1"
    Then it is refused with ValidationException because "Invalid AWS region"
    And table "orders" holds no items

  @SV-N3 @needs:commands
  Scenario: ARNs contain the configured account id
    Given an emulator of the account "111122223333"
    And a table "orders" with the key "id"
    Then the ARN of "orders" begins with "arn:aws:dynamodb:us-east-1:111122223333:table/"
    And the caller's account is "111122223333"

  @SV-N4.kept @SV-N4.removed @needs:commands
  Scenario: Tags of a table are added, replaced, removed and kept after a restart
    Given an emulator with a data folder
    And a table "orders" with the key "id"
    When "orders" is tagged with {"team": "shop", "stage": "test"}
    And "orders" is tagged with {"stage": "production"}
    Then the tags of "orders" are {"team": "shop", "stage": "production"}
    When the tag "team" of "orders" is removed
    Then the tags of "orders" are {"stage": "production"}
    When the emulator is stopped
    And the emulator is started again
    Then the tags of "orders" are {"stage": "production"}

  @SV-N4.policy @needs:commands
  Scenario: A policy can depend on the tags of a table
    Given an emulator with these identities
      """
      account: "123456789012"
      users:
        admin: {keys: [{id: AKIAADMINADMINADMIN1, secret: secret-of-admin}], policies: [AdministratorAccess]}
        ann: {keys: [{id: AKIAANNANNANNANNANN1, secret: secret-of-ann}], policies: [ShopTables]}
      policies:
        ShopTables:
          Version: "2012-10-17"
          Statement: {Effect: Allow, Action: dynamodb:GetItem, Resource: "*", Condition: {StringEquals: {"aws:ResourceTag/team": shop}}}
      """
    And a table "orders" with the key "id"
    And a table "invoices" with the key "id"
    And "orders" is tagged with {"team": "shop"}
    And "invoices" is tagged with {"team": "finance"}
    When the requests are signed by "ann"
    And the item {"id": "7"} of "orders" is read
    Then there is no such item
    When the item {"id": "7"} of "invoices" is read
    Then it is refused with AccessDeniedException because "dynamodb:GetItem"
