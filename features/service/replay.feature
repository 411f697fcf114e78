Feature: Record and replay
  The requests of a program are recorded in a file and replayed elsewhere. The replay shows the differences.

  Background:
    Given an emulator
    When POST /_tabletop/recording/start is sent
    Then the emulator responds with 200
    Given a table "orders" with the key "id"
    And the item {"id": "7", "total": 12} is put into "orders"
    And the item {"id": "7"} of "orders" is read
    And the item {"id": "8"} of "orders" is deleted
    When POST /_tabletop/recording/stop is sent
    Then the emulator responds with 200 and shows ""requests":4"

  @SV-O6.same @needs:commands
  Scenario: A replay on the same version gives the same responses
    When the recording is replayed to another emulator
    Then 4 responses match the recording

  @SV-O6.differs @needs:commands
  Scenario: A replay shows responses that differ
    When the recording is replayed to another emulator, where "total":{"N":"12"} is replaced by "total":{"N":"13"}
    Then 3 responses match the recording
    And in the GetItem, "Item.total.N" is "13" and was "12"

  @SV-O6.secrets @needs:commands
  Scenario: A recording names callers and actions, but contains no secrets
    When POST /_tabletop/recording/start is sent
    And the item {"id": "9"} is put into "orders" with the key "AKIDESK" and the secret "secret-of-the-desk"
    And POST /_tabletop/recording/stop is sent
    And GET /_tabletop/recording/requests is sent
    Then the emulator responds with 200 and shows "AKIDESK"
    And the emulator responds with 200 and shows "dynamodb:PutItem"
    But the emulator does not show "Signature"

  @SV-O6.secrets @needs:commands
  Scenario: A response that repeats a signature is recorded without it
    When POST /_tabletop/recording/start is sent
    And a request is sent with the signature "0badcafe" and no access key
    Then the emulator responds with 400 and shows "0badcafe"
    When POST /_tabletop/recording/stop is sent
    And GET /_tabletop/recording/requests is sent
    Then the emulator responds with 200 and shows "IncompleteSignatureException"
    But the emulator does not show "0badcafe"
