Feature: Indexes with several key attributes
  A global secondary index can have up to four partition key attributes and four sort key attributes, so that a
  program does not have to concatenate values.

  Background:
    Given an emulator
    And the tables:
      """
      tables:
        - name: shops
          key: {partition: id}
          attributes: {number: N}
          indexes:
            - {name: by-place, key: {partition: [country, city], sort: [street, number]}, project: all}
      """
    And these items are put into "shops":
      | id  | country | city  | street | number |
      | '1' | FI      | Turku | Linna  | 10     |
      | '2' | FI      | Turku | Linna  | 9      |
      | '3' | FI      | Turku | Aura   | 20     |
      | '4' | FI      | Espoo | Linna  | 1      |
      | '5' | SE      | Turku | Linna  | 1      |

  @SV-G1.hash @needs:commands
  Scenario: A Query compares every partition key attribute with =
    When a client sends a Query of index "by-place" of "shops" where "country = 'FI' AND city = 'Turku'"
    Then the items found are:
      | id  |
      | '3' |
      | '2' |
      | '1' |
    When a client sends a Query of index "by-place" of "shops" where "country = 'FI'"
    Then it is refused with ValidationException because "HASH key attributes city must have equality conditions"
    When a client sends a Query of index "by-place" of "shops" where "country = 'FI' AND city > 'A'"
    Then it is refused with ValidationException because "HASH key attributes city must have equality conditions"

  @SV-G1.range @needs:commands
  Scenario: A Query narrows the sort key from the left
    When a client sends a Query of index "by-place" of "shops" where "country = 'FI' AND city = 'Turku' AND street = 'Linna'"
    Then the items found are:
      | id  |
      | '2' |
      | '1' |
    When a client sends a Query of index "by-place" of "shops" where "country = 'FI' AND city = 'Turku' AND street = 'Linna' AND number > 9"
    Then the items found are:
      | id  |
      | '1' |

  @SV-G1.gap @needs:commands
  Scenario: A Query cannot skip a sort key attribute
    When a client sends a Query of index "by-place" of "shops" where "country = 'FI' AND city = 'Turku' AND number = 9"
    Then it is refused with ValidationException because "RANGE key attributes street must have equality conditions"
    When a client sends a Query of index "by-place" of "shops" where "country = 'FI' AND city = 'Turku' AND street > 'A' AND number = 9"
    Then it is refused with ValidationException because "RANGE key attributes street must have equality conditions"

  @SV-G2 @needs:commands
  Scenario: An item without one of the key attributes is not in the index
    When the item {"id": "6", "country": "FI", "city": "Turku", "street": "Linna"} is put into "shops"
    Then the index "by-place" of "shops" holds 5 items
    When a client sends an UpdateItem of "shops" where "id = '6'", setting "SET number = 11"
    Then the index "by-place" of "shops" holds 6 items
    When a client sends an UpdateItem of "shops" where "id = '6'", setting "REMOVE city"
    Then the index "by-place" of "shops" holds 5 items

  @SV-G3 @needs:commands
  Scenario Outline: Pages of <size> return each item of the index once, in order
    When the index "by-place" of "shops" is queried for "FI" and "Turku", <size> items a page
    Then the items found are:
      | id  |
      | '3' |
      | '2' |
      | '1' |

    Examples:
      | size |
      | 1    |
      | 2    |
