PeriodType: cpu nanoseconds
Period: 10000000
Samples:
samples/count
          3: 1 2 3
          5: 4 2 3
          7: 5 5 3
Locations
     1: 0x4a1b2c M=1 shop.price /src/shop/price.go:20:3 s=18
             shop.total /src/shop/total.go:7:11 s=5
     2: 0x4a1b99 M=1 shop.(*Cart).Sum /src/shop/cart.go:31:0 s=29
     3: 0x401000 M=1 main.main /src/main.go:9:0 s=8
     4: 0x7f0012 M=2 
     5: 0x4a1c00 M=1 shop.walk /src/shop/walk.go:3:3 s=18
             shop.visit /src/shop/walk.go:7:11 s=5
             shop.walk /src/shop/walk.go:9:11 s=5
Mappings
1: 0x400000/0x500000/0x0 /bin/shop  [FN]
2: 0x7f0000/0x7f1000/0x0 /gone/libc.so.6
