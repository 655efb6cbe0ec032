/** A small inventory with made-up items, for a supplier that has no file at hand. */
export const SAMPLE_FILE_NAME = 'sample-inventory.csv'

/** What a connection is called whose first file it is. */
export const SAMPLE_NAME = 'Sample inventory'

const LINES = `sku,name,category,quantity,barcode,price
SAMPLE-001,Birch Desk Lamp,Lighting > Desk Lamps,34,2000000001005,49.90
SAMPLE-002,"Birch Desk Lamp, black",Lighting > Desk Lamps,0,2000000001012,49.90
SAMPLE-003,Opal Pendant 30 cm,Lighting > Pendants,12,2000000001029,89.00
SAMPLE-004,Opal Pendant 45 cm,Lighting > Pendants,7,2000000001036,119.00
SAMPLE-005,Brass Wall Light,Lighting > Wall Lights,21,2000000001043,74.50
SAMPLE-006,Linen Floor Lamp,Lighting > Floor Lamps,5,2000000001050,159.00
SAMPLE-007,Oak Stool,Furniture > Stools,48,2000000001067,79.00
SAMPLE-008,Oak Bar Stool,Furniture > Stools,16,2000000001074,109.00
SAMPLE-009,Walnut Side Table,Furniture > Tables,9,2000000001081,139.00
SAMPLE-010,Folding Balcony Table,Furniture > Tables,0,2000000001098,64.95
SAMPLE-011,Cane Dining Chair,Furniture > Chairs,26,2000000001104,129.00
SAMPLE-012,Canvas Director Chair,Furniture > Chairs,31,2000000001111,84.00
SAMPLE-013,"Wool Throw, grey",Textiles > Throws,64,2000000001128,59.00
SAMPLE-014,"Wool Throw, rust",Textiles > Throws,18,2000000001135,59.00
SAMPLE-015,Linen Cushion 45 × 45,Textiles > Cushions,120,2000000001142,27.50
SAMPLE-016,Velvet Cushion 50 × 50,Textiles > Cushions,83,2000000001159,32.00
SAMPLE-017,Jute Rug 120 × 180,Textiles > Rugs,11,2000000001166,99.00
SAMPLE-018,Cotton Rug 80 × 150,Textiles > Rugs,0,2000000001173,54.00
SAMPLE-019,Stoneware Mug,Kitchen > Tableware,240,2000000001180,12.90
SAMPLE-020,Stoneware Bowl,Kitchen > Tableware,175,2000000001197,16.90
SAMPLE-021,Acacia Chopping Board,Kitchen > Preparation,52,2000000001203,34.00
SAMPLE-022,Cast Iron Pan 26 cm,Kitchen > Cookware,14,2000000001210,69.00
SAMPLE-023,Glass Carafe,Kitchen > Tableware,37,2000000001227,22.50
SAMPLE-024,Enamel Storage Tin,Kitchen > Storage,0,2000000001234,18.00`

/** As it would be stored: the same bytes are the sample wherever they come from. */
export const SAMPLE_CSV = `${LINES.replaceAll('\n', '\r\n')}\r\n`
