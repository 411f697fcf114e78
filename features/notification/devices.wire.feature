Feature: Devices, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @NT-P10
  Scenario: Active devices are listed, most recently seen first, on the wire
    Given "ana" has registered the devices "phone, tablet", a minute apart
    And "ana" revokes the device "phone"
    And "ana" has registered the devices "watch", a minute apart
    Then "ana" has the devices "watch, tablet"
    And Cosmos DB received this query of "device_tokens" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND (c.revokedAt = null OR NOT IS_DEFINED(c.revokedAt)) ORDER BY c.lastSeenAt DESC
      """

  @NT-D2.documented @NT-D2.missing
  Scenario: The documented query misses a device without revokedAt; the service's query finds it
    Given the document {"id":"old","userId":"ana","deviceId":"old","pushToken":"t","platform":"fcm","label":"","createdAt":"2020-01-01T00:00:00.000Z","lastSeenAt":"2020-01-01T00:00:00.000Z"} is stored in "device_tokens"
    When a client queries "device_tokens" in the partition "ana" with:
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.revokedAt = null
      """
    Then the query finds 0 documents
    And "ana" has the devices "old"
    When "ana" registers the device "new"
    And a client queries "device_tokens" in the partition "ana" with:
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.revokedAt = null
      """
    Then the query finds 1 document

  @NT-P11.token
  Scenario: A device gets a new token, on the wire
    Given "ana" has registered the devices "phone", a minute apart
    And earlier requests to Cosmos DB are ignored
    When "ana" gives the device "phone" the token "another"
    Then Cosmos DB received this query of "device_tokens" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.deviceId = 'phone'
      """
    And Cosmos DB received a conditional Replace of "device_tokens" in the partition "ana"

  @NT-P11.unchanged
  Scenario: A device that is revoked while its token is renewed stays revoked
    Given "ana" has registered the devices "phone", a minute apart
    And before the next Replace of "device_tokens", "ana" revokes the device "phone"
    When "ana" gives the device "phone" the token "another"
    Then it is not found
    And "ana" has 0 devices

  @NT-P12.same
  Scenario: A device that registers twice at the same moment is registered once
    Given before the next Batch of "device_tokens", "ana" registers the device "phone"
    When "ana" registers the device "phone"
    Then "ana" has the devices "phone"

  @NT-P12.unchanged
  Scenario: A device that is seen while a fourth one registers is not evicted
    Given "ana" has registered the devices "one, two, three", a minute apart
    And before the next Batch of "device_tokens", "ana" refreshes the device "one"
    When "ana" registers the device "four"
    Then the response is 201
    And "ana" has the devices "four, one, three" in any order

  @NT-R8.race
  Scenario: Two devices that register at the same moment respect the limit together
    Given "ana" has registered the devices "one, two", a minute apart
    And before the next Batch of "device_tokens", "ana" registers the device "three"
    When "ana" registers the device "four"
    Then the response is 201
    And "ana" has the devices "four, three, two" in any order

  @NT-R8.lost
  Scenario: A lost response does not lead to a fourth device
    Given "ana" has registered the devices "one, two, three", a minute apart
    And the response to the next Batch of "device_tokens" is lost
    When "ana" registers the device "four"
    And "ana" registers the device "four"
    Then "ana" has the devices "four, three, two"

  @NT-R11.device
  Scenario Outline: A device <fault> is refused, and nothing is written
    When "ana" sends POST /devices with <body>
    Then it is refused as invalid
    And the response names the field "<field>"
    And Cosmos DB received 0 Batch requests of "device_tokens"

    Examples:
      | fault                     | body                                                            | field          |
      | of another push service   | {"deviceId":"d","pushToken":"t","platform":"wns"}               | body.platform  |
      | without a token           | {"deviceId":"d","platform":"fcm"}                               | body.pushToken |

  @NT-P12.dead
  Scenario: A phone that gets a new token while its old one is rejected is kept
    Given "ana" has no quiet hours
    And "ana" has the phone "pixel"
    And the app is removed from "pixel"
    And before the next Replace of "device_tokens", "ana" refreshes the device "pixel"
    When "bob" likes a post of "ana"
    And a worker runs
    Then "ana" has the devices "pixel"

  @NT-O3.old
  Scenario: The quarterly cleanup deletes only devices that were revoked long ago
    Given "ana" has registered the devices "old, new", a minute apart
    And "ana" revokes the device "old"
    When 89 days pass
    And the quarterly cleanup runs
    Then 2 documents of "ana" are in "device_tokens"
    When 2 days pass
    And the quarterly cleanup runs
    Then 1 document of "ana" is in "device_tokens"
    And "ana" has the devices "new"

  @NT-O3.unchanged
  Scenario: A token that is restored while the cleanup runs is kept
    Given "ana" registers the device "old"
    And the response's "id" is saved as "token"
    And "ana" revokes the device "old"
    And 91 days pass
    And before the next Delete of "device_tokens", the document {"id":"{token}","userId":"ana","deviceId":"old","pushToken":"t","platform":"fcm","label":"","createdAt":"2020-01-01T00:00:00.000Z","lastSeenAt":"2020-01-01T00:00:00.000Z","revokedAt":null} is stored in "device_tokens"
    When the quarterly cleanup runs
    Then the cleanup deleted 0 and kept 1
    And "ana" has the devices "old"
