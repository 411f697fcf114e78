Feature: Devices are listed by their last activity, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @TL-P2.order
  Scenario: The most recently seen device is listed first, on the wire
    Given the device "cellar" is registered
    And 1 minute passes
    And the device "attic" is registered
    And 1 minute passes
    And the device "garden" is registered
    When the devices are listed
    Then the store received a Query of index "gsi1" of "devices" where "gsi1pk = 'devices'", descending

  @TL-P2.pages
  Scenario: A long list comes in pages, each device once, on the wire
    Given 25 devices that registered a minute apart
    When the devices are listed in pages of 10
    Then the store received 3 requests: Query of index "gsi1" of "devices" where "gsi1pk = 'devices'", descending, limit 10

  @TL-P2.pages
  Scenario: An invalid cursor for devices is refused, on the wire
    When the devices are listed with an invalid cursor
    Then it is refused as a bad request
    And the store received no Query of "devices"

  @TL-D5.partition
  Scenario: All devices are in one index partition, as documented
    Given 25 devices that registered a minute apart
    Then every item of "devices" has gsi1pk 'devices' and its last activity as gsi1sk
