Feature: Devices, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @NT-P10
  Scenario: Active devices, seen last first, on the wire
    Given "ana" has registered the devices "phone, tablet", a minute apart
    And "ana" revokes the device "phone"
    And "ana" has registered the devices "watch", a minute apart
    Then "ana" has the devices "watch, tablet"
    And Cosmos DB was asked of "device_tokens" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND (c.revokedAt = null OR NOT IS_DEFINED(c.revokedAt)) ORDER BY c.lastSeenAt DESC
      """

  @NT-D2.documented @NT-D2.missing
  Scenario: The document's query does not find a device without revokedAt; the decided one does, and new devices have it
    Given the document {"id":"old","userId":"ana","deviceId":"old","pushToken":"t","platform":"fcm","label":"","createdAt":"2020-01-01T00:00:00.000Z","lastSeenAt":"2020-01-01T00:00:00.000Z"} lies in "device_tokens"
    When Cosmos DB itself is asked of "device_tokens" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.revokedAt = null
      """
    Then it finds 0
    And "ana" has the devices "old"
    When "ana" registers the device "new"
    And Cosmos DB itself is asked of "device_tokens" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.revokedAt = null
      """
    Then it finds 1

  @NT-P11.token
  Scenario: A device has got another token, on the wire
    Given "ana" has registered the devices "phone", a minute apart
    And what Cosmos DB was asked before is forgotten
    When "ana" gives the device "phone" the token "another"
    Then Cosmos DB was asked of "device_tokens" in the partition "ana":
      """
      SELECT * FROM c WHERE c.userId = 'ana' AND c.deviceId = 'phone'
      """
    And Cosmos DB was asked for a Replace of "device_tokens" in the partition "ana", only if unchanged

  @NT-P11.unchanged
  Scenario: A device that is revoked while its token is renewed stays revoked
    Given "ana" has registered the devices "phone", a minute apart
    And before the next Replace of "device_tokens", "ana" revokes the device "phone"
    When "ana" gives the device "phone" the token "another"
    Then it is not found
    And "ana" has 0 devices

  @NT-P12.same
  Scenario: A device that registers twice at the same moment is one device
    Given before the next Batch of "device_tokens", "ana" registers the device "phone"
    When "ana" registers the device "phone"
    Then "ana" has the devices "phone"

  @NT-P12.unchanged
  Scenario: A device that is seen while a fourth one registers does not give way
    Given "ana" has registered the devices "one, two, three", a minute apart
    And before the next Batch of "device_tokens", "ana" refreshes the device "one"
    When "ana" registers the device "four"
    Then the answer is 201
    And "ana" has the devices "four, one, three" in any order

  @NT-R8.race
  Scenario: Of two devices that register at the same moment, each sees the other
    Given "ana" has registered the devices "one, two", a minute apart
    And before the next Batch of "device_tokens", "ana" registers the device "three"
    When "ana" registers the device "four"
    Then the answer is 201
    And "ana" has the devices "four, three, two" in any order

  @NT-R8.lost
  Scenario: A lost answer does not make a fourth one
    Given "ana" has registered the devices "one, two, three", a minute apart
    And the answer to the next Batch of "device_tokens" is lost
    When "ana" registers the device "four"
    And "ana" registers the device "four"
    Then "ana" has the devices "four, three, two"

  @NT-R11.device
  Scenario Outline: A device <fault> is refused, and nothing is written
    When "ana" sends POST /devices with <body>
    Then it is refused as invalid
    And the answer names the field "<field>"
    And Cosmos DB was asked for 0 Batch of "device_tokens"

    Examples:
      | fault                     | body                                                            | field          |
      | of another push service   | {"deviceId":"d","pushToken":"t","platform":"wns"}               | body.platform  |
      | without a token           | {"deviceId":"d","platform":"fcm"}                               | body.pushToken |

  @NT-P12.dead
  Scenario: A phone that has another token by the time the push service refuses the old one stays
    Given "ana" is never quiet
    And "ana" has the phone "pixel"
    And the app is removed from "pixel"
    And before the next Replace of "device_tokens", "ana" refreshes the device "pixel"
    When "bob" likes a post of "ana"
    And a worker runs
    Then "ana" has the devices "pixel"

  @NT-O3.old
  Scenario: The quarterly cleanup deletes what was revoked long ago, and nothing else
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
    And the answer's "id" is called "token"
    And "ana" revokes the device "old"
    And 91 days pass
    And before the next Delete of "device_tokens", the document {"id":"{token}","userId":"ana","deviceId":"old","pushToken":"t","platform":"fcm","label":"","createdAt":"2020-01-01T00:00:00.000Z","lastSeenAt":"2020-01-01T00:00:00.000Z","revokedAt":null} lies in "device_tokens"
    When the quarterly cleanup runs
    Then the cleanup deleted 0 and kept 1
    And "ana" has the devices "old"
