import KodamaCommand
import KodamaShipped
import PingSystem

await Kodama.main(systems: .shipped + [.ping])
