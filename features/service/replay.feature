Feature: Record and replay
  What a program asked is kept in a file, and asked again elsewhere: the differences are what to look at.

  Background:
    Given an emulator
    When POST /_tabletop/recording/start is sent
    Then the emulator answers 200
    Given a table "orders" with the key "id"
    And the item {"id": "7", "total": 12} is put into "orders"
    And the item {"id": "7"} of "orders" is read
    And the item {"id": "8"} of "orders" is deleted
    When POST /_tabletop/recording/stop is sent
    Then the emulator answers 200 and says ""requests":4"

  @SV-O6.same @needs:commands
  Scenario: The same answers
    When the recording is replayed to another emulator
    Then 4 requests are answered as recorded

  @SV-O6.differs @needs:commands
  Scenario: An answer that is another one is shown
    When the recording is replayed to another emulator, where "total":{"N":"12"} is sent as "total":{"N":"13"}
    Then 3 requests are answered as recorded
    And of the GetItem "Item.total.N" is "13" and was "12"

  @SV-O6.secrets @needs:commands
  Scenario: A recording says who wanted what, and has no secrets
    When POST /_tabletop/recording/start is sent
    And the item {"id": "9"} is put into "orders" with the key "AKIDESK" and the secret "secret-of-the-desk"
    And POST /_tabletop/recording/stop is sent
    And GET /_tabletop/recording/requests is sent
    Then the emulator answers 200 and says "AKIDESK"
    And the emulator answers 200 and says "dynamodb:PutItem"
    But the emulator says nothing of "Signature"
    And the emulator says nothing of "secret-of-the-desk"

  @SV-O6.secrets @needs:commands
  Scenario: An answer that repeats what a request was signed with is not in the recording
    When POST /_tabletop/recording/start is sent
    And a request is sent whose signature "0badcafe" is of no access key
    Then the emulator answers 400 and says "0badcafe"
    When POST /_tabletop/recording/stop is sent
    And GET /_tabletop/recording/requests is sent
    Then the emulator answers 200 and says "IncompleteSignatureException"
    But the emulator says nothing of "0badcafe"
