import unittest

import stock


class Stock(unittest.TestCase):
    def test_a_reservation_takes_its_pieces(self):
        stock.create_table()
        stock.receive("lamp", 5)
        stock.reserve("lamp", 2)
        self.assertEqual(stock.pieces("lamp"), 3)

if __name__ == "__main__":
    unittest.main()
