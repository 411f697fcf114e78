Feature: Policies for PartiQL
  A policy decides which statements a user can run, and can deny those that read a whole table.

  Background:
    Given an emulator with these identities
      """
      account: "123456789012"
      users:
        admin: {keys: [{id: AKIAADMINADMINADMIN1, secret: secret-of-admin}], policies: [AdministratorAccess]}
        ann: {keys: [{id: AKIAANNANNANNANNANN1, secret: secret-of-ann}], policies: [Reader]}
        bob: {keys: [{id: AKIABOBBOBBOBBOBBOB1, secret: secret-of-bob}], policies: [OwnPartition]}
      policies:
        Reader:
          Version: "2012-10-17"
          Statement:
            - {Effect: Allow, Action: dynamodb:PartiQLSelect, Resource: "*"}
            - {Effect: Deny, Action: dynamodb:PartiQLSelect, Resource: "*", Condition: {Bool: {"dynamodb:FullTableScan": "true"}}}
        OwnPartition:
          Version: "2012-10-17"
          Statement:
            Effect: Allow
            Action: [dynamodb:PartiQLSelect, dynamodb:PartiQLInsert]
            Resource: "*"
            Condition: {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}
      """
    And a table "orders" with the key "customer" and the sort key "id"
    And the item {"customer": "ann", "id": "1"} is put into "orders"

  @SV-Q7.scan @needs:commands
  Scenario: A policy denies statements that read a whole table
    When the requests are signed by "ann"
    And this statement is run:
      """
      SELECT * FROM "orders" WHERE customer = 'ann'
      """
    Then 1 item is found
    When this statement is run:
      """
      SELECT * FROM "orders" WHERE id = '1'
      """
    Then it is refused with AccessDeniedException because "with an explicit deny in an identity-based policy"

  @SV-Q7.action @needs:commands
  Scenario: A user who may read cannot write with statements
    When the requests are signed by "ann"
    And this statement is run:
      """
      INSERT INTO "orders" VALUE {'customer': 'ann', 'id': '2'}
      """
    Then it is refused with AccessDeniedException because "dynamodb:PartiQLInsert"
    When this statement is run:
      """
      DELETE FROM "orders" WHERE customer = 'ann' AND id = '1'
      """
    Then it is refused with AccessDeniedException because "dynamodb:PartiQLDelete"

  @SV-Q7.partition @needs:commands
  Scenario: A user's statements reach only their own partition
    When the requests are signed by "bob"
    And this statement is run:
      """
      INSERT INTO "orders" VALUE {'customer': 'bob', 'id': '1'}
      """
    Then it succeeds
    When this statement is run:
      """
      SELECT * FROM "orders" WHERE customer IN ['bob', 'ann']
      """
    Then it is refused with AccessDeniedException because "dynamodb:PartiQLSelect"
    When this statement is run:
      """
      INSERT INTO "orders" VALUE {'customer': 'ann', 'id': '2'}
      """
    Then it is refused with AccessDeniedException because "dynamodb:PartiQLInsert"
