Feature: Devices are listed by their last activity, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @TL-P2.order
  Scenario: The device seen last comes first, on the wire
    Given the device "cellar" is registered
    And 1 minute passes
    And the device "attic" is registered
    And 1 minute passes
    And the device "garden" is registered
    When the devices are listed
    Then the store was asked for a Query of index "gsi1" of "devices" where "gsi1pk = 'devices'", descending

  @TL-P2.pages
  Scenario: A long list comes in pages, each device once, on the wire
    Given 25 devices that registered a minute apart
    When the devices are listed in pages of 10
    Then the store was asked for 3 times Query of index "gsi1" of "devices" where "gsi1pk = 'devices'", descending, limit 10

  @TL-P2.pages
  Scenario: A made-up place in the list is refused, on the wire
    When the devices are listed from a made-up place
    Then the store was never asked for a Query of "devices"

  @TL-D5.partition
  Scenario: Every device is an entry of one index partition, as the document has it
    Given 25 devices that registered a minute apart
    Then every item of "devices" has gsi1pk 'devices' and its last activity as gsi1sk
    And 10000 devices that each register once in 5 minutes are 33.3 writes a second of the 1000 that the partition takes
