import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import type { ColumnRole } from '../../../shared/shop-formats'
import { findColumn } from '../read/categories/category-column'
import { OTHER_SCRIPTS } from '../read/other-scripts'
import { findNamed } from '../read/path-names'
import { QUANTITY_NAMES } from '../read/quantities/quantity-column'

/** Normalized column names, the preferred ones first. */
export const ROLE_NAMES: Record<ColumnRole, readonly string[]> = {
  sku: [
    ...(
      'sku variantsku itemsku productsku suppliersku sellersku skucode skunumber stockcode articlecode ' +
      'articlenumber articleno articleid itemcode itemnumber itemno itemid partnumber partno ' +
      'productcode productnumber productno productid productreference suppliercode supplierreference ' +
      'reference referenz ref artikelnummer artikelnr artnr bestellnummer referenceproduit codearticle ' +
      'codigo codigoarticulo referencia codice codicearticolo codprodotto indeks kodproduktu ' +
      'kodtowaru cislozbozi kodzbozi artikelkod artikelnummer varenummer varenr tuotenumero sifra ' +
      'matnr sifraartikla code id handle mpn model'
    ).split(' '),
    ...OTHER_SCRIPTS.sku,
  ],
  quantity: QUANTITY_NAMES,
  barcode: [
    ...(
      'barcode barcodes variantbarcode ean ean11 ean13 eancode eannumber upc upca upccode gtin gtin13 gtin14 ' +
      'isbn isbn13 codebarres codigodebarras codiceabarre streckkod stregkode strekkode viivakoodi ' +
      'kodkreskowy carovykod barkod eankod'
    ).split(' '),
    ...OTHER_SCRIPTS.barcode,
  ],
  price: [
    ...(
      'price variantprice saleprice salesprice sellingprice retailprice unitprice listprice ' +
      'regularprice rrp msrp srp pricegross pricenet preis verkaufspreis vkpreis vk uvp prix prixvente ' +
      'prixttc precio precioventa prezzo prezzovendita preco cena cenabrutto cenasprzedazy pris hinta ' +
      'prijs verkoopprijs ar cijena'
    ).split(' '),
    ...OTHER_SCRIPTS.price,
  ],
  restockDate: (
    'restockdate nextrestockdate restockingdate restockon restocketa backinstockdate backinstock ' +
    'backinstockon availabilitydate availabledate availablefrom availableon nextavailabledate ' +
    'nextavailability expecteddate expectedon expectedstockdate expectedarrival nextdelivery ' +
    'nextdeliverydate nextarrival incomingdate stockeddate duedate stockduedate eta nextstockdate ' +
    'verfugbarab wiederverfugbarab wiederverfugbar lieferbarab wiederlieferbarab nachlieferdatum ' +
    'nachschubdatum nachstelieferung naechstelieferung nachsterwareneingang ' +
    'naechsterwareneingang datereassort datereapprovisionnement datereappro datedisponibilite disponiblele ' +
    'prochainelivraison prochainarrivage fechareposicion fechadisponibilidad fechadisponible ' +
    'proximallegada proximaentrada dataarrivo datadisponibilita disponibiledal datariassortimento ' +
    'datareposicao datadostepnosci datadostawy nastepnadostawa datumnaskladneni pristidodavka ' +
    'beschikbaarvanaf verwachteleverdatum volgendelevering aterilager tillgangligfran inleveransdatum ' +
    'pafyllningsdatum tilgaengeligfra tilgjengeligfra nesteleveranse seuraavatoimitus'
  ).split(' '),
  restockQuantity: (
    'restockquantity restockqty nextrestockquantity nextrestockqty incomingquantity incomingqty ' +
    'incomingstock incoming expectedquantity expectedqty expectedstock nextdeliveryquantity ' +
    'nextdeliveryqty quantityonorder qtyonorder onorder onorderquantity onorderqty duequantity dueqty ' +
    'quantitydue qtydue quantityincoming qtyincoming intransit zulauf zulaufmenge imzulauf ' +
    'nachliefermenge nachschubmenge erwartetemenge quantitereassort quantitereapprovisionnement ' +
    'quantitereappro quantiteattendue stockattendu cantidadreposicion cantidadesperada ' +
    'stockesperado quantitainarrivo inarrivo quantidadereposicao iloscwdostawie wdrodze ' +
    'verwachteaantal aantalverwacht inbestelling inkommandeantal forventetantal'
  ).split(' '),
  cost: (
    'cost costprice unitcost netcost itemcost yourcost yourprice purchaseprice purchasingprice buyprice ' +
    'buyingprice wholesaleprice wholesale tradeprice dealerprice resellerprice ek ekpreis eknetto ' +
    'einkaufspreis handlerpreis haendlerpreis prixachat prixdachat prixrevendeur cout preciocompra ' +
    'preciocoste coste costo prezzoacquisto prezzodiacquisto costounitario inkoopprijs inkopspris ' +
    'kostpris kostprijs indkobspris innkjopspris ostohinta cenazakupu nakupnicena precocusto'
  ).split(' '),
  currency: (
    'currency currencycode currencyiso pricecurrency costcurrency curr waehrung wahrung devise ' +
    'codedevise moneda divisa valuta valuutta mena waluta moeda'
  ).split(' '),
}

/** Names of keys that other things than items have too. */
export const WEAK_KEYS: ReadonlySet<string> = new Set(
  'id code handle model itemid productid articleid indeks reference referenz ref sifra codigo codice'.split(
    ' ',
  ),
)

/**
 * Finds the columns that shop systems need, by their names.
 * @param columns the names as displayed
 * @param quantity the column in which numbers were found when the file was read; null if that is unknown
 * @param arePaths whether columns are called by paths: `findNamed`
 */
export function detectRoles(
  columns: readonly string[],
  quantity: string | null,
  arePaths = false,
): ColumnRoles {
  const find = (role: ColumnRole) => {
    const [place = -1] = findNamed(columns, ROLE_NAMES[role], arePaths, WEAK_KEYS)
    return columns[place] ?? null
  }
  return {
    sku: find('sku'),
    quantity: quantity ?? find('quantity'),
    barcode: find('barcode'),
    price: find('price'),
    restockDate: find('restockDate'),
    restockQuantity: find('restockQuantity'),
    cost: find('cost'),
    currency: find('currency'),
  }
}

/** The column of a role: the one that was chosen, or else the one that is found; -1 without any. */
export function findRoleColumn(
  columns: string[],
  role: ColumnRole,
  chosen: ColumnRoles,
  quantity: string | null,
  arePaths = false,
): number {
  const name = chosen[role] ?? detectRoles(columns, quantity, arePaths)[role] ?? null
  return name === null ? -1 : findColumn(columns, name)
}
