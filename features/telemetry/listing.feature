Feature: Devices are listed by their last activity
  Whoever looks after the fleet sees at the top which devices were heard of last.

  @TL-P2.order
  Scenario: The device seen last comes first
    Given the device "cellar" is registered
    And 1 minute passes
    And the device "attic" is registered
    And 1 minute passes
    And the device "garden" is registered
    When the devices are listed
    Then the list is "garden, attic, cellar"
    And the store was asked for a Query of index "gsi1" of "devices" where "gsi1pk = 'devices'", descending

  @TL-P2.order @TL-P1.again
  Scenario: A device that starts again moves to the top
    Given the device "cellar" is registered
    And 1 minute passes
    And the device "attic" is registered
    And 1 minute passes
    And "cellar" starts again with firmware "1.0.17" and the sensors "bme280"
    When the devices are listed
    Then the list is "cellar, attic"

  @TL-P2.pages
  Scenario: A long list comes in pages, each device once
    Given 25 devices that registered a minute apart
    When the devices are listed in pages of 10
    Then the pages have 10, 10 and 5 devices
    And every device is on one page, newest first
    And the store was asked for 3 times Query of index "gsi1" of "devices" where "gsi1pk = 'devices'", descending, limit 10

  @TL-P2.pages
  Scenario: Devices seen in the same second are each listed once
    Given 25 devices that registered at the same time
    When the devices are listed in pages of 10
    Then the pages have 10, 10 and 5 devices
    And every device is on one page

  @TL-P2.pages
  Scenario: A made-up place in the list is refused
    When the devices are listed from a made-up place
    Then it is refused as invalid
    And the store was never asked for a Query of "devices"

  @TL-D5.partition
  Scenario: Every device is an entry of one index partition, as the document has it
    Given 25 devices that registered a minute apart
    Then every item of "devices" has gsi1pk 'devices' and its last activity as gsi1sk
    And 10000 devices that each register once in 5 minutes are 33.3 writes a second of the 1000 that the partition takes
