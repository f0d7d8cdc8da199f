use std::sync::atomic::{AtomicUsize, Ordering};

use arrow::array::{
    Array, DictionaryArray, FixedSizeListArray, Float64Array, Int32Array, ListArray, StringArray,
    StringViewArray, StructArray, UInt8Array, UnionArray, make_array,
};
use arrow::datatypes::{Field, Float64Type, Int32Type, UInt8Type};
use dora_node_api::{DoraArray, SampleAllocator, arrow_utils};

use super::*;
use crate::status::DORA_ERROR_INVALID_ARROW;
use crate::transport::Encoder;

fn exported(array: &dyn Array) -> Result<(ArrowSchema, ArrowArray)> {
    export(&make_array(array.to_data()))
}

fn import_of(array: &dyn Array) -> Result<ArrayRef> {
    let (schema, array) = exported(array)?;
    import(&schema, array)
}

fn samples() -> Vec<ArrayRef> {
    let numbers: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.5), None, Some(f64::NAN), Some(-0.0)]));
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("eins"), None, Some(""), Some("vier\u{e4}")]));
    let views: ArrayRef = Arc::new(StringViewArray::from(vec![
        Some("short"),
        None,
        Some("longer than twelve bytes"),
        Some(""),
    ]));
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), Some(true)]));
    let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(vec![
        Some(vec![Some(1), None]),
        None,
        Some(vec![]),
        Some(vec![Some(2)]),
    ]));
    let keys: ArrayRef = Arc::new(DictionaryArray::<UInt8Type>::from_iter(["a", "b", "a", "c"]));
    let nested: ArrayRef = Arc::new(StructArray::from(vec![
        (Arc::new(Field::new("numbers", DataType::Float64, true)), numbers.clone()),
        (Arc::new(Field::new("texts", DataType::Utf8, true)), texts.clone()),
        (Arc::new(Field::new("lists", lists.data_type().clone(), true)), lists.clone()),
    ]));
    vec![numbers, texts, views, flags, lists, keys, nested, Arc::new(arrow::array::NullArray::new(4))]
}

#[test]
fn arrays_and_all_their_slices_survive_the_way_out_and_in() {
    for array in samples() {
        for offset in 0..=array.len() {
            for length in 0..=array.len() - offset {
                let slice = array.slice(offset, length);
                let back = import_of(&slice).unwrap();
                assert_eq!(back.to_data(), slice.to_data(), "{} [{offset}; {length}]", array.data_type());
            }
        }
    }
}

#[test]
fn an_imported_slice_is_what_a_receiver_decodes() {
    for array in samples() {
        let slice = array.slice(1, 2);
        let imported = import_of(&slice).unwrap();
        let sample = SampleAllocator::heap().encode_arrow(&DoraArray::from(imported)).unwrap();
        let decoded = arrow_utils::decode_arrow_ipc(sample.as_bytes()).unwrap();
        assert_eq!(decoded.as_array().to_data(), slice.to_data(), "{}", array.data_type());
    }
}

/// What a C producer does to send a part: it moves the offset of the outermost structure, and nothing else.
#[test]
fn an_outer_offset_reaches_nested_children() {
    let samples = samples();
    let outer: ArrayRef = Arc::new(StructArray::from(vec![
        (Arc::new(Field::new("inner", samples[6].data_type().clone(), true)), samples[6].clone()),
        (Arc::new(Field::new("flags", DataType::Boolean, true)), samples[3].clone()),
    ]));
    let item = Arc::new(Field::new("item", outer.data_type().clone(), true));
    let pairs: ArrayRef = Arc::new(FixedSizeListArray::new(item, 2, outer.clone(), None));
    let members = [(0, Arc::new(Field::new("s", outer.data_type().clone(), true)))].into_iter().collect();
    let sparse = UnionArray::try_new(members, vec![0_i8; 4].into(), None, vec![outer.clone()]).unwrap();
    for array in [outer, pairs, Arc::new(sparse) as ArrayRef] {
        let (schema, mut exported) = exported(&array).unwrap();
        (exported.offset, exported.length, exported.null_count) = (1, exported.length - 1, -1);
        let back = import(&schema, exported.take()).unwrap();
        assert_eq!(&back, &array.slice(1, array.len() - 1), "{}", array.data_type());
        let sample = SampleAllocator::heap().encode_arrow(&DoraArray::from(back)).unwrap();
        let decoded = arrow_utils::decode_arrow_ipc(sample.as_bytes()).unwrap();
        assert_eq!(decoded.as_array(), &array.slice(1, array.len() - 1), "{}", array.data_type());
    }
}

#[test]
fn misaligned_buffers_are_realigned() {
    let bytes: Vec<u8> =
        std::iter::once(0).chain([1_i32, 2, 3].iter().flat_map(|n| n.to_le_bytes())).collect();
    let (schema, mut array) = exported(&Int32Array::from(vec![0, 0, 0])).unwrap();
    // SAFETY: the second buffer of a primitive array is its values; `bytes` outlives the import.
    unsafe { array.buffers.add(1).write(bytes.as_ptr().add(1).cast()) };
    let back = import(&schema, array.take()).unwrap();
    assert_eq!(back.to_data(), Int32Array::from(vec![1, 2, 3]).to_data());

    let offsets: Vec<u8> =
        std::iter::once(0).chain([0_i32, 1, 3].iter().flat_map(|n| n.to_le_bytes())).collect();
    let (schema, mut array) = exported(&StringArray::from(vec!["x", "yz"])).unwrap();
    // SAFETY: the second buffer of a text array is its offsets; `offsets` outlives the import.
    unsafe { array.buffers.add(1).write(offsets.as_ptr().add(1).cast()) };
    assert_eq!(
        import(&schema, array.take()).unwrap().to_data(),
        StringArray::from(vec!["x", "yz"]).to_data()
    );
}

#[test]
fn an_empty_array_may_leave_out_its_buffers() {
    let (schema, mut array) = exported(&StringArray::from(Vec::<&str>::new())).unwrap();
    // SAFETY: a text array has three buffers.
    unsafe { array.buffers.add(1).write(ptr::null()) };
    assert_eq!(import(&schema, array.take()).unwrap().len(), 0);
}

/// Breaks one thing of a well-formed pair and expects the sentence that names it. What the pair held is
/// leaked, since a broken pair cannot be released.
fn assert_malformed(array: &dyn Array, break_it: impl FnOnce(&mut ArrowSchema, &mut ArrowArray), says: &str) {
    let (mut schema, mut array) = exported(array).unwrap();
    break_it(&mut schema, &mut array);
    array.release = array.release.and(Some(release_nothing));
    let error = import(&schema, array).unwrap_err();
    std::mem::forget(schema);
    assert_eq!(error.status, DORA_ERROR_INVALID_ARROW);
    assert!(error.message.contains(says), "{says:?} is not in {:?}", error.message);
}

unsafe extern "C" fn release_nothing(array: *mut ArrowArray) {
    // SAFETY: called by the owner of a live structure.
    unsafe { (*array).release = None };
}

#[test]
fn malformed_structures_are_named() {
    let numbers = Int32Array::from(vec![Some(1), None, Some(3)]);
    let texts = StringArray::from(vec!["a", "bc"]);
    let nested = &samples()[6];

    assert_malformed(&numbers, |schema, _| schema.release = None, "schema was released before");
    assert_malformed(&numbers, |schema, _| schema.format = ptr::null(), "schema.format is NULL");
    assert_malformed(&numbers, |schema, _| schema.format = c"q".as_ptr(), "unknown type");
    assert_malformed(&numbers, |schema, _| schema.format = c"\xff".as_ptr(), "schema.format is not UTF-8");
    assert_malformed(&numbers, |schema, _| schema.format = c"w:-1".as_ptr(), "fixed-size type of size -1");
    assert_malformed(&numbers, |schema, _| schema.n_children = 1, "the format \"i\" has 0");
    assert_malformed(nested, |schema, _| schema.children = ptr::null_mut(), "schema.children is NULL");
    assert_malformed(&numbers, |schema, _| schema.n_children = -1, "schema.n_children is -1");
    assert_malformed(&numbers, |schema, _| schema.format = c"+l".as_ptr(), "the format \"+l\" has 1");
    assert_malformed(&numbers, |schema, _| schema.format = c"+w:2".as_ptr(), "the format \"+w:2\" has 1");
    assert_malformed(&numbers, |schema, _| schema.format = c"d:39,1".as_ptr(), "precision");
    assert_malformed(
        &numbers,
        |schema, _| schema.metadata = c"\xff\xff\xff\xff".as_ptr(),
        "schema.metadata: a count is -1",
    );
    assert_malformed(
        &numbers,
        |schema, _| schema.metadata = c"\x01\x01\x01\x80".as_ptr(),
        "schema.metadata: a count is -",
    );
    assert_malformed(&numbers, |_, array| array.release = None, "array was released before");
    assert_malformed(&numbers, |_, array| array.length = -1, "array.length is -1");
    assert_malformed(&numbers, |_, array| array.offset = -1, "array.offset is -1");
    assert_malformed(&numbers, |_, array| array.offset = i64::MAX, "beyond any memory");
    assert_malformed(&numbers, |_, array| array.length = i64::MAX / 2, "beyond any memory");
    assert_malformed(&numbers, |_, array| array.null_count = -2, "array.null_count is -2");
    assert_malformed(&numbers, |_, array| array.null_count = 4, "array.null_count is 4");
    assert_malformed(
        &numbers,
        |_, array| array.null_count = 0,
        "null_count is 0, but its validity bitmap has 1",
    );
    assert_malformed(
        &numbers,
        |_, array| array.null_count = 2,
        "null_count is 2, but its validity bitmap has 1",
    );
    assert_malformed(&numbers, |_, array| array.n_buffers = 1, "array.n_buffers is 1");
    assert_malformed(&numbers, |_, array| array.n_buffers = 3, "array.n_buffers is 3");
    assert_malformed(&numbers, |_, array| array.buffers = ptr::null_mut(), "array.buffers is NULL");
    assert_malformed(&numbers, |_, array| array.n_children = 1, "array.n_children is 1");
    let clear = |index| {
        // SAFETY: every array that this is used on has more than `index` buffers.
        move |_: &mut ArrowSchema, array: &mut ArrowArray| unsafe {
            array.buffers.add(index).write(ptr::null());
        }
    };
    assert_malformed(&numbers, clear(0), "validity bitmap is NULL");
    assert_malformed(&numbers, clear(1), "array.buffers[1] is NULL");
    assert_malformed(&texts, clear(1), "array.buffers[1] is NULL");
    assert_malformed(&texts, clear(2), "array.buffers[2] is NULL");
    assert_malformed(nested, |_, array| array.children = ptr::null_mut(), "array.children is NULL");
    assert_malformed(
        nested,
        // SAFETY: a struct of three columns has three children.
        |_, array| unsafe { *array.children.add(1) = ptr::null_mut() },
        "array.children[1] is NULL",
    );
    assert_malformed(
        nested,
        // SAFETY: as above, and the child is live.
        |_, array| unsafe { (**array.children.add(2)).n_buffers = 0 },
        "array.children[2].n_buffers is 0",
    );
    assert_malformed(
        nested,
        |_, array| array.offset = 1,
        "a child has 4 elements, but its parent refers to 5",
    );
    let keys = &samples()[5];
    assert_malformed(keys, |_, array| array.dictionary = ptr::null_mut(), "array.dictionary is NULL");
    assert_malformed(
        keys,
        |schema, _| schema.dictionary = ptr::null_mut(),
        "array.dictionary is set, but its schema has none",
    );
    assert_malformed(
        nested,
        // SAFETY: a struct of three columns has three children, and they are live.
        |schema, _| unsafe { (**schema.children.add(1)).release = None },
        "schema.children[1] was released before",
    );
    assert_malformed(
        nested,
        // SAFETY: as above.
        |_, array| unsafe { (**array.children.add(1)).release = None },
        "array.children[1] was released before",
    );
    assert_malformed(
        keys,
        // SAFETY: a dictionary array has a live dictionary.
        |_, array| unsafe { (*array.dictionary).release = None },
        "array.dictionary was released before",
    );
}

#[test]
fn malformed_contents_are_found() {
    for (offsets, says) in
        [([0_i32, 2, 1], "ffset"), ([0, 1, -1], "array: the last offset is -1"), ([-1, 1, 3], "ffset")]
    {
        assert_malformed(
            &StringArray::from(vec!["a", "bc"]),
            // SAFETY: the second buffer of a text array is its offsets; they outlive the import.
            |_, array| unsafe { array.buffers.add(1).write(offsets.as_ptr().cast()) },
            says,
        );
    }
    assert_malformed(
        &StringArray::from(vec!["a", "bc"]),
        // SAFETY: the third buffer of a text array is its values, three bytes here.
        |_, array| unsafe { array.buffers.add(2).write(c"a\xff\xff".as_ptr().cast()) },
        "UTF",
    );
}

#[test]
fn a_schema_that_contains_itself_is_refused() {
    let list = ListArray::from_iter_primitive::<Float64Type, _, _>(vec![Some(vec![Some(1.0)])]);
    let (mut schema, array) = exported(&list).unwrap();
    // SAFETY: a list has one child, which is put back before the schema is released.
    unsafe {
        let child = *schema.children;
        *schema.children = &raw mut schema;
        let error = data_type_error(&schema);
        *schema.children = child;
        assert!(error.contains("nested deeper"), "{error}");
    }
    drop(array);
}

fn data_type_error(schema: &ArrowSchema) -> String {
    super::check::data_type(schema).unwrap_err().message
}

#[test]
fn numbers_of_any_alignment_are_encoded_alike() {
    let (heap, out) = (Encoder::heap(), "out".parse().unwrap());
    let encoder = heap.on(&out);
    let values = [1.5_f64, -2.5, f64::INFINITY];
    let mut bytes = vec![0; 1];
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    let aligned: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
    // SAFETY: 24 bytes of initialised integers.
    let aligned = unsafe { std::slice::from_raw_parts(aligned.as_ptr().cast::<u8>(), 24) };
    for source in [aligned, &bytes[1..]] {
        let message = encode_numbers(encoder, &DataType::Float64, 3, source).unwrap();
        let decoded = arrow_utils::decode_arrow_ipc(message.as_bytes()).unwrap();
        assert_eq!(decoded.as_array().to_data(), Float64Array::from(values.to_vec()).to_data());
    }
}

#[test]
fn texts_and_booleans_are_encoded() {
    let (heap, out) = (Encoder::heap(), "out".parse().unwrap());
    let encoder = heap.on(&out);
    let decode = |message: Message| arrow_utils::decode_arrow_ipc(message.as_bytes()).unwrap();
    for text in ["", "a\0b", "\u{1f916}"] {
        let decoded = decode(encode_text(encoder, text).unwrap());
        assert_eq!(decoded.as_array().to_data(), StringArray::from(vec![text]).to_data());
    }
    let decoded = decode(encode_booleans(encoder, &[0, 1, 255]).unwrap());
    assert_eq!(decoded.as_array().to_data(), BooleanArray::from(vec![false, true, true]).to_data());
}

#[test]
fn an_array_is_released_once_and_by_its_last_user() {
    static RELEASED: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn count(array: *mut ArrowArray) {
        RELEASED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: called by the owner of a live structure.
        unsafe { (*array).release = None };
    }
    let values = [1_u8, 2, 3];
    let mut buffers = [ptr::null(), values.as_ptr().cast::<c_void>()];
    let mut array = ArrowArray::empty();
    (array.length, array.n_buffers, array.buffers) = (3, 2, buffers.as_mut_ptr());
    array.release = Some(count);
    let (schema, _) = exported(&UInt8Array::from(vec![0])).unwrap();
    let imported = import(&schema, array.take()).unwrap();
    assert!(array.release.is_none());
    let slice = imported.slice(1, 2);
    drop(imported);
    assert_eq!(RELEASED.load(Ordering::Relaxed), 0);
    drop(slice);
    assert_eq!(RELEASED.load(Ordering::Relaxed), 1);
}

#[test]
fn what_no_receiver_takes_is_refused() {
    let (heap, out) = (Encoder::heap(), "out".parse().unwrap());
    let encoder = heap.on(&out);
    let zeros = vec![0_u8; MAX_MESSAGE + 1];
    let status = |message: Result<Message>| message.err().map(|error| error.status);
    assert_eq!(
        status(encode_numbers(encoder, &DataType::UInt8, zeros.len(), &zeros)),
        Some(DORA_ERROR_TOO_LARGE)
    );
    // Less than the limit, but more with its framing.
    let size = MAX_MESSAGE - 64;
    assert_eq!(
        status(encode_numbers(encoder, &DataType::UInt8, size, &zeros[..size])),
        Some(DORA_ERROR_TOO_LARGE)
    );
    let size = 1 << 20;
    assert_eq!(status(encode_numbers(encoder, &DataType::UInt8, size, &zeros[..size])), None);
}

#[test]
fn numbers_are_exported_from_where_they_lie_and_released_once() {
    let values = Float64Array::from((0..100).map(f64::from).collect::<Vec<_>>());
    let whole: ArrayRef = Arc::new(values.clone());
    for (start, length) in [(0, 100), (1, 0), (1, 1), (7, 93), (99, 1)] {
        let slice = whole.slice(start, length);
        let (schema, mut array) = export(&slice).unwrap();
        assert_eq!(
            (array.length, array.offset, array.null_count, array.n_buffers),
            ((length as u64).cast_signed(), 0, 0, 2)
        );
        // SAFETY: it has two buffers.
        let buffers = unsafe { std::slice::from_raw_parts(array.buffers, 2) };
        assert!(buffers[0].is_null());
        assert_eq!(buffers[1], values.values()[start..].as_ptr().cast());
        let owners = Arc::strong_count(&slice);
        let again = import(&schema, array.take()).unwrap();
        assert_eq!(again.as_ref(), slice.as_ref());
        drop((schema, again));
        assert_eq!(Arc::strong_count(&slice), owners - 1);
    }
}
