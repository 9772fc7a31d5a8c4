import KodamaCommand
import KodamaShipped

await Kodama.main(systems: .shipped)
